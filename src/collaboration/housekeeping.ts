// Regular work, by one server: sends notices of due days, and removes rows that are too old or have lost their record.
// Contract 5 §3.
import { hasPermission } from '../core/accounts/rules/permissions.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { System } from '../kernel/machine/system.ts'
import type { DueStage } from '../store/collaboration-port.ts'
import type { Store, Transaction } from '../store/port.ts'
import { type Round, type Rounds, startRounds } from '../store/rounds.ts'
import { type Assignment, dayAfter, dayOf, KEEP_ENDED_DAYS } from './rules/assignment.ts'
import { KEEP_NOTICES_DAYS, type NoticeKind, noticeOf } from './rules/notice.ts'

/** Milliseconds between two rounds. */
const INTERVAL = 3_600_000
/** Rows of one transaction. */
const AT_ONCE = 200
/** Records that are looked at together: each may have many comments. */
const RECORDS_AT_ONCE = 20
const DAY = 86_400_000
const END_OF_TIME = '9999-12-31T23:59:59.999Z'

const STAGES: readonly { readonly stage: DueStage; readonly kind: NoticeKind }[] = [
  // First, because a day that is over needs no notice that it comes.
  { stage: 'overdue', kind: 'overdue' },
  { stage: 'tomorrow', kind: 'dueTomorrow' },
]

interface HousekeepingDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
}

/** Begins at once, where no other server does so already, and again every hour. */
export function startHousekeeping({ store, system, log }: HousekeepingDeps): Rounds {
  return startRounds({
    store,
    name: 'collaboration',
    interval: INTERVAL,
    round: (round) => keepHouse(round, system),
    onFault: (error) => log.warn({ err: error }, 'notices of days could not be written'),
  })
}

async function keepHouse({ store, signal, repeat, pause }: Round, system: System): Promise<void> {
  const before = (days: number): string => new Date(system.now().getTime() - days * DAY).toISOString()
  for (const { stage, kind } of STAGES) await repeat((tx) => tellOfDays(tx, system, stage, kind))
  await repeat((tx) => tx.notices.deleteBefore(before(KEEP_NOTICES_DAYS), AT_ONCE))
  await repeat((tx) => tx.workAssignments.deleteEnded(before(KEEP_ENDED_DAYS), AT_ONCE))
  for (let after = ''; !signal.aborted;) {
    const recordIds = await store.read.discussed.list(after, RECORDS_AT_ONCE)
    for (const id of await findGone(store, recordIds)) await repeat((tx) => deleteSome(tx, id))
    if (recordIds.length < RECORDS_AT_ONCE) return
    after = recordIds.at(-1)!
    await pause()
  }
}

/** Notifies a person of due assignments. Resolves to the number of assignments; 0: no person is left. */
async function tellOfDays(tx: Transaction, system: System, stage: DueStage, kind: NoticeKind): Promise<number> {
  const now = system.now()
  const due = await tx.workAssignments.takeDue(stage, stage === 'overdue' ? dayOf(now) : dayAfter(now), AT_ONCE)
  const assigneeId = due[0]?.assigneeId ?? ''
  const user = await tx.users.get(assigneeId)
  const role = user && !user.disabled ? (await tx.model()).roles.get(user.roleId) : undefined
  if (role === undefined || !hasPermission(role, 'records.read')) return due.length
  const notice = { id: system.newId('ntc'), kind, createdAt: now.toISOString(), ...aboutOf(due) }
  await tx.notices.add(assigneeId, noticeOf(notice))
  return due.length
}

function aboutOf(assignments: readonly Assignment[]) {
  const [first, ...others] = assignments
  const only = others.length === 0 ? { recordId: first!.recordId, assignmentId: first!.id } : {}
  return { ...only, count: assignments.length }
}

/** Records that do not exist, and that nobody can restore. */
async function findGone({ read }: Store, recordIds: readonly string[]): Promise<string[]> {
  if (recordIds.length === 0) return []
  const existing = await read.records.existing(recordIds)
  const gone: string[] = []
  for (const id of recordIds)
    if (!existing.has(id) && (await read.audit.readTrail(id, { limit: 1 })).entries.length === 0) gone.push(id)
  return gone
}

async function deleteSome(tx: Transaction, recordId: string): Promise<number> {
  // Somebody may have created it again.
  if ((await tx.records.existing([recordId])).has(recordId)) return 0
  await tx.followers.deleteOf(recordId)
  const comments = await tx.comments.deleteOf(recordId, END_OF_TIME, AT_ONCE)
  return comments + (await tx.workAssignments.deleteOf(recordId, AT_ONCE))
}
