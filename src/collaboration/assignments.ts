// Use cases of assignments: giving records to people, and changing or ending the assignments. Contract 5 §3.
import type { Caller } from '../core/accounts/caller.ts'
import { assertPermission, hasPermission } from '../core/accounts/rules/permissions.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { invalid, notFound, PimletError, shorten } from '../kernel/errors.ts'
import { firstDuplicate } from '../kernel/input/validation.ts'
import type { System } from '../kernel/machine/system.ts'
import type { DueStage } from '../store/collaboration-port.ts'
import type { Reads, Store, Transaction } from '../store/port.ts'
import { nameAll } from './persons.ts'
import { type Actor, asActor } from './rules/actor.ts'
import {
  assertMayChange,
  type Assignment,
  type AssignmentChange,
  type AssignmentsQuery,
  changeAssignment,
  dayAfter,
  dayOf,
  MAX_OPEN_OF_PERSON,
  MAX_OPEN_OF_RECORD,
  type NewAssignments,
} from './rules/assignment.ts'
import { noticeOf } from './rules/notice.ts'
import { writeCursor } from '../kernel/input/cursors.ts'
import { readPlace } from './rules/places.ts'

/** Records between two pauses of a transaction. */
const AT_ONCE = 50

export function createWorkAssignmentService({ store, system }: { store: Store; system: System }) {
  const view = async (reads: Pick<Reads, 'users' | 'apiKeys'>, assignments: readonly Assignment[]) =>
    viewAssignments(reads, assignments, dayOf(system.now()))

  return {
    /**
     * Gives each record to the person, who gets one notice.
     * @throws VALIDATION_ERROR for unknown records, and a person who may not read them; LIMIT_EXCEEDED
     */
    create: (caller: Caller, input: NewAssignments): Promise<{ ids: readonly string[] }> =>
      input.recordIds.length <= AT_ONCE
        ? store.transaction((tx) => assign(tx, system, caller, input))
        : store.longTransaction((tx) => assign(tx, system, caller, input)),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string) =>
      store.snapshot(async (reads) => (await view(reads, [await findAssignment(reads, id)]))[0]!),

    /** `next`: the cursor of the next page. @throws VALIDATION_ERROR for a list of nobody and nothing, and a cursor that is none */
    list: (caller: Caller, query: AssignmentsQuery) =>
      store.snapshot(async (reads) => {
        const { recordId, assigneeId, assignedBy, state, overdue, limit } = query
        if (recordId === undefined && assigneeId === undefined && assignedBy === undefined)
          throw invalid('query needs recordId, assigneeId or assignedBy')
        const found = await reads.workAssignments.list({
          recordId,
          assigneeId: assigneeId === 'me' ? ownId(caller) : assigneeId,
          assignedBy: assignedBy === undefined ? undefined : giver(caller, assignedBy),
          state,
          dueBefore: overdue === true ? dayOf(system.now()) : undefined,
          after: query.after === undefined ? undefined : readAssignmentPlace(query.after),
          limit: limit + 1,
        })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        const items = await view(
          reads,
          page.map(({ assignment }) => assignment),
        )
        return { items, next: found.length > limit && last ? writeCursor([last.due, last.n]) : null }
      }),

    /** @throws NOT_FOUND, PERMISSION_DENIED, LIMIT_EXCEEDED where it is reopened */
    change: (caller: Caller, id: string, change: AssignmentChange) =>
      store.transaction(async (tx) => {
        const before = await findAssignment(tx, id)
        assertMayChange(caller, before, change)
        const after = changeAssignment(before, change, asActor(caller), system.now().toISOString())
        if (after.state === 'open' && before.state !== 'open') await assertRoom(tx, after.assigneeId, [after.recordId])
        if (after !== before) await tx.workAssignments.update(after, after.dueOn !== before.dueOn)
        return (await view(tx, [after]))[0]!
      }),
  }
}

/** Throws as `create` does. */
async function assign(
  tx: Transaction,
  system: System,
  caller: Caller,
  input: NewAssignments,
): Promise<{ ids: readonly string[] }> {
  assertPermission(caller.role, 'records.read')
  await assertAssignable(tx, input)
  await tx.pause?.()
  const made = input.recordIds.map((recordId) => makeAssignment(system, caller, input, recordId))
  const told = toldAlready(system, input.dueOn ?? null)
  for (const [index, assignment] of made.entries()) {
    await tx.workAssignments.insert(assignment, told)
    if (index % AT_ONCE === AT_ONCE - 1) await tx.pause?.()
  }
  await tellOfAssignments(tx, system, caller, made)
  return keepAnswer(tx, caller, { ids: made.map(({ id }) => id) })
}

async function viewAssignments(
  reads: Pick<Reads, 'users' | 'apiKeys'>,
  assignments: readonly Assignment[],
  today: string,
) {
  const asUser = (id: string): Actor => ({ id, kind: 'user' })
  const actors = assignments.flatMap((one) => [asUser(one.assigneeId), one.assignedBy, one.changedBy])
  const nameOf = await nameAll(reads, actors)
  return assignments.map(({ assigneeId, assignedBy, changedBy, ...assignment }) => ({
    ...assignment,
    assignee: nameOf(asUser(assigneeId)),
    assignedBy: nameOf(assignedBy),
    changedBy: nameOf(changedBy),
    overdue: assignment.state === 'open' && assignment.dueOn !== null && assignment.dueOn < today,
  }))
}

/** @throws NOT_FOUND also where its record is deleted */
async function findAssignment(reads: Pick<Reads, 'workAssignments' | 'records'>, id: string): Promise<Assignment> {
  const assignment = await reads.workAssignments.get(id)
  if (assignment === undefined || !(await reads.records.existing([assignment.recordId])).has(assignment.recordId))
    throw notFound('Assignment', id)
  return assignment
}

async function assertAssignable(tx: Transaction, { recordIds, assigneeId }: NewAssignments): Promise<void> {
  const twice = firstDuplicate(recordIds)
  if (twice !== undefined) throw invalid(`recordIds lists '${shorten(twice)}' twice`)
  const user = await tx.users.get(assigneeId)
  if (user === undefined) throw invalid(`assigneeId names the unknown user '${shorten(assigneeId)}'`)
  if (user.disabled) throw invalid(`assigneeId names the user '${shorten(assigneeId)}', who is disabled`)
  const role = (await tx.model()).roles.get(user.roleId)
  if (role === undefined || !hasPermission(role, 'records.read'))
    throw invalid(`assigneeId names the user '${shorten(assigneeId)}', who may not read records`)
  const existing = await tx.records.existing(recordIds)
  const unknown = recordIds.find((id) => !existing.has(id))
  if (unknown !== undefined) throw invalid(`recordIds names the unknown record '${shorten(unknown)}'`)
  await assertRoom(tx, assigneeId, recordIds)
}

/** @throws LIMIT_EXCEEDED */
async function assertRoom(tx: Transaction, assigneeId: string, recordIds: readonly string[]): Promise<void> {
  const open = await tx.workAssignments.countOpen(assigneeId)
  if (open + recordIds.length > MAX_OPEN_OF_PERSON)
    throw new PimletError(
      'LIMIT_EXCEEDED',
      `The user '${shorten(assigneeId)}' has ${open} open assignments: at most ${MAX_OPEN_OF_PERSON} are allowed`,
    )
  const full = await tx.workAssignments.findFull(recordIds, MAX_OPEN_OF_RECORD)
  if (full === undefined) return
  const message = `The record '${shorten(full)}' has ${MAX_OPEN_OF_RECORD} open assignments: more are not allowed`
  throw new PimletError('LIMIT_EXCEEDED', message)
}

function makeAssignment(system: System, caller: Caller, input: NewAssignments, recordId: string): Assignment {
  const now = system.now().toISOString()
  return {
    id: system.newId('asg'),
    recordId,
    assigneeId: input.assigneeId,
    assignedBy: asActor(caller),
    dueOn: input.dueOn ?? null,
    note: input.note ?? '',
    state: 'open',
    createdAt: now,
    changedAt: now,
    changedBy: asActor(caller),
  }
}

/** The notice of an assignment names the day, so that the person knows of tomorrow. */
function toldAlready(system: System, dueOn: string | null): DueStage | undefined {
  return dueOn !== null && dueOn <= dayAfter(system.now()) ? 'tomorrow' : undefined
}

async function tellOfAssignments(
  tx: Transaction,
  system: System,
  caller: Caller,
  made: readonly Assignment[],
): Promise<void> {
  const [first, ...others] = made
  if (first === undefined || (caller.kind === 'user' && caller.id === first.assigneeId)) return
  const only = others.length === 0 ? { recordId: first.recordId, assignmentId: first.id } : {}
  const about = { ...only, count: made.length, actor: asActor(caller) }
  const notice = { id: system.newId('ntc'), kind: 'assignment', createdAt: first.createdAt, ...about } as const
  await tx.notices.add(first.assigneeId, noticeOf(notice))
}

/** @throws VALIDATION_ERROR */
function ownId({ id, kind }: Caller): string {
  if (kind === 'user') return id
  throw invalid("assigneeId is 'me', but an API key has no assignments")
}

function giver(caller: Caller, assignedBy: string): Actor {
  return assignedBy === 'me' ? asActor(caller) : { id: assignedBy, kind: 'user' }
}

function readAssignmentPlace(cursor: string) {
  const [due, n] = readPlace(cursor, ['string', 'number']) as [string, number]
  return { due, n }
}
