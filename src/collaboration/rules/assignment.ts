// Assignments of records to people: their states, and the rights to change them. Contract 5 §3.
import * as v from 'valibot'
import { hasPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import { denied } from '../../kernel/errors.ts'
import { Flag, Id, listOf, type OutputOf, textUpTo, Timestamp } from '../../kernel/input/validation.ts'
import { type Actor, ActorShape, isActor } from './actor.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Page } from '../../kernel/input/common-shapes.ts'

/** Records that are assigned at once. */
const MAX_ASSIGNED = 500
/** Open assignments of one record. */
export const MAX_OPEN_OF_RECORD = 20
/** Open assignments of one person. */
export const MAX_OPEN_OF_PERSON = 5000
/** Days that ended assignments are kept. */
export const KEEP_ENDED_DAYS = 365
const MAX_NOTE = 1000

export const ASSIGNMENT_STATES = ['open', 'done', 'withdrawn'] as const
export type AssignmentState = (typeof ASSIGNMENT_STATES)[number]

export const AssignmentShape = v.object({
  id: v.string(),
  recordId: v.string(),
  assignee: ActorShape,
  assignedBy: ActorShape,
  dueOn: v.pipe(v.nullable(v.string()), v.description('A day; null: none.')),
  note: v.string(),
  state: v.picklist(ASSIGNMENT_STATES),
  overdue: v.pipe(v.boolean(), v.description('Whether the day is over, in UTC.')),
  createdAt: Timestamp,
  changedAt: Timestamp,
  changedBy: ActorShape,
})

export interface Assignment extends Omit<
  OutputOf<typeof AssignmentShape>,
  'assignee' | 'assignedBy' | 'changedBy' | 'overdue'
> {
  /** A user. */
  readonly assigneeId: string
  readonly assignedBy: Actor
  readonly changedBy: Actor
}

export const Day = v.pipe(
  v.string('must be a string'),
  v.check(isDay, 'must be a day such as 2026-03-01'),
  v.metadata({ format: 'date' }),
)

const Note = v.pipe(textUpTo(MAX_NOTE), v.description('Plain text for the person.'))

const AssignedIds = v.pipe(
  listOf(v.pipe(v.string('must be a string'), v.maxLength(128, 'must be at most 128 characters long')), MAX_ASSIGNED),
  v.minLength(1, 'must have one item at least'),
)

const DueOn = v.nullable(Day)

export const AssignmentInput = exactObject({
  recordIds: AssignedIds,
  assigneeId: v.pipe(Id, v.description('A user.')),
  dueOn: v.optional(DueOn),
  note: v.optional(Note),
})
export type NewAssignments = OutputOf<typeof AssignmentInput>

export const AssignmentUpdate = exactObject({
  state: v.optional(v.picklist(ASSIGNMENT_STATES, `must be one of ${ASSIGNMENT_STATES.join(', ')}`)),
  dueOn: v.optional(DueOn),
  note: v.optional(Note),
})
export type AssignmentChange = OutputOf<typeof AssignmentUpdate>

export const AssignmentsQuery = exactObject({
  recordId: v.optional(v.string()),
  assigneeId: v.optional(v.pipe(v.string(), v.description('A user, or `me`.'))),
  assignedBy: v.optional(v.pipe(v.string(), v.description('A user, or `me`.'))),
  state: v.optional(v.picklist(ASSIGNMENT_STATES, `must be one of ${ASSIGNMENT_STATES.join(', ')}`), 'open'),
  overdue: v.optional(v.pipe(Flag, v.description('true: only those whose day is over, in UTC.'))),
  ...Page,
})
export type AssignmentsQuery = OutputOf<typeof AssignmentsQuery>

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && dayOf(new Date(time)) === text
}

/** The day of a moment in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

const DAY = 86_400_000

/** The day after a moment, in UTC. */
export function dayAfter(moment: Date): string {
  return dayOf(new Date(moment.getTime() + DAY))
}

/**
 * The assignee finishes and reopens. The giver of the assignment may do everything, and so may moderators.
 * @throws PERMISSION_DENIED
 */
export function assertMayChange(
  caller: Actor & { readonly role: Role },
  assignment: Assignment,
  change: AssignmentChange,
): void {
  if (isActor(caller, assignment.assignedBy) || hasPermission(caller.role, 'comments.moderate')) return
  const isAssignee = caller.kind === 'user' && caller.id === assignment.assigneeId
  const isOfAssignee =
    change.dueOn === undefined &&
    change.note === undefined &&
    change.state !== 'withdrawn' &&
    assignment.state !== 'withdrawn'
  if (isAssignee && isOfAssignee) return
  throw denied(
    isAssignee
      ? 'Only the person who gave an assignment may take it back, reopen it then, or change its day and note'
      : 'Only the assigned person and the person who gave an assignment may change it',
  )
}

/** The assignment after the change. The same object: nothing changed. */
export function changeAssignment(assignment: Assignment, change: AssignmentChange, by: Actor, now: string): Assignment {
  const { state = assignment.state, dueOn = assignment.dueOn, note = assignment.note } = change
  if (state === assignment.state && dueOn === assignment.dueOn && note === assignment.note) return assignment
  return { ...assignment, state, dueOn, note, changedAt: now, changedBy: by }
}
