// Shapes of comments, assignments and notices. Contract 5 §3.
import * as v from 'valibot'
import { ScopeShape } from '../../core/records/routes/record-shapes.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { Cursor } from '../../http/common-shapes.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Alias, Flag, Id, listOf, textUpTo, wholeNumber, Timestamp } from '../../kernel/input/validation.ts'
import { AssignedIds, ASSIGNMENT_STATES, AssignmentShape, Day, Note } from '../rules/assignment.ts'
import { ActorShape } from '../rules/actor.ts'
import { CommentText } from '../rules/comment.ts'
import { NOTICE_KINDS, NoticeShape } from '../rules/notice.ts'
import { MailAddress, SummaryInput } from '../rules/summary.ts'

const MAX_PAGE = 100

/** Comments are long: pages are shorter than elsewhere. */
const ShortLimit = v.pipe(wholeNumber(1, MAX_PAGE), v.description('The maximum number of items.'))
const Page = { limit: v.optional(ShortLimit, 50), after: v.optional(Cursor) }

export const CommentShape = v.object({
  id: v.string(),
  recordId: v.string(),
  threadId: v.pipe(v.nullable(v.string()), v.description('The comment that begins the thread; null: this one.')),
  attributeAlias: v.pipe(v.nullable(v.string()), v.description('null: the comment is about the whole record.')),
  scope: ScopeShape,
  text: v.pipe(v.string(), v.description('Plain text. `@[usr-1]` mentions the user with the ID `usr-1`.')),
  mentions: v.pipe(
    v.array(v.object({ id: v.string(), name: v.nullable(v.string()) })),
    v.description('The mentioned users, with their present names.'),
  ),
  author: ActorShape,
  createdAt: Timestamp,
  editedAt: v.nullable(Timestamp),
  resolvedAt: v.pipe(v.nullable(Timestamp), v.description('Of the comment that begins the thread; null: open.')),
  resolvedBy: v.nullable(ActorShape),
  deleted: v.pipe(v.boolean(), v.description('Whether the text was deleted, and the comment stays for its replies.')),
})

export const CommentPageShape = v.object({ items: v.array(CommentShape) })

export const CommentInput = exactObject({
  text: CommentText,
  attributeAlias: v.optional(
    v.pipe(v.nullable(Alias), v.description('Default: the comment is about the whole record.')),
  ),
  scope: v.optional(v.pipe(ScopeInput, v.description('A scope of the attribute. Default: the global scope.'))),
  threadId: v.optional(v.pipe(v.nullable(Id), v.description('The comment that is answered. A reply has no replies.'))),
})

export const CommentUpdate = exactObject({
  text: v.optional(CommentText),
  resolved: v.optional(v.pipe(Flag, v.description('Resolves or reopens the thread that the comment begins.'))),
})

export const CommentsQuery = exactObject({
  attributeAlias: v.optional(v.pipe(v.string(), v.description('Only comments on this attribute.'))),
  state: v.pipe(
    v.optional(v.picklist(['open', 'resolved', 'all'], 'must be open, resolved or all'), 'all'),
    v.description('Only threads in this state.'),
  ),
  order: v.pipe(
    v.optional(v.picklist(['threads', 'newest'], 'must be threads or newest'), 'threads'),
    v.description(
      'threads: the newest thread first, its replies in the order of writing. newest: the newest comment first.',
    ),
  ),
  ...Page,
})

const MAX_COUNTED = 100

export const OpenCommentsQuery = exactObject({
  recordIds: v.pipe(
    v.string('must be a string'),
    v.maxLength(8192, 'must be at most 8192 characters long'),
    v.check((text) => text.split(',').length <= MAX_COUNTED, `must have at most ${MAX_COUNTED} IDs`),
    v.description(`IDs of up to ${MAX_COUNTED} records, separated by commas.`),
  ),
})

export const OpenCommentsShape = v.object({
  items: v.array(
    v.object({
      recordId: v.string(),
      attributeAlias: v.nullable(v.string()),
      scope: ScopeShape,
      open: v.pipe(v.number(), v.description('Open threads.')),
    }),
  ),
})

export const ReadersQuery = exactObject({
  attributeAlias: v.optional(v.pipe(v.string(), v.description('People who may read this attribute, too.'))),
  text: v.optional(v.pipe(textUpTo(200), v.description('A part of the name or username.'))),
})

export const ReadersShape = v.object({
  items: v.array(v.object({ id: v.string(), name: v.string(), username: v.string() })),
})

export const FollowShape = v.object({
  follows: v.pipe(v.boolean(), v.description('Whether you get a notice of each comment on the record.')),
})
export const FollowInput = exactObject({ follows: Flag })

const DueOn = v.nullable(Day)

export const AssignmentPageShape = v.object({ items: v.array(AssignmentShape) })
export const AssignedShape = v.object({ ids: v.pipe(v.array(v.string()), v.description('In the order of recordIds.')) })

export const AssignmentInput = exactObject({
  recordIds: AssignedIds,
  assigneeId: v.pipe(Id, v.description('A user.')),
  dueOn: v.optional(DueOn),
  note: v.optional(Note),
})
export const AssignmentUpdate = exactObject({
  state: v.optional(v.picklist(ASSIGNMENT_STATES, `must be one of ${ASSIGNMENT_STATES.join(', ')}`)),
  dueOn: v.optional(DueOn),
  note: v.optional(Note),
})

export const AssignmentsQuery = exactObject({
  recordId: v.optional(v.string()),
  assigneeId: v.optional(v.pipe(v.string(), v.description('A user, or `me`.'))),
  assignedBy: v.optional(v.pipe(v.string(), v.description('A user, or `me`.'))),
  state: v.optional(v.picklist(ASSIGNMENT_STATES, `must be one of ${ASSIGNMENT_STATES.join(', ')}`), 'open'),
  overdue: v.optional(v.pipe(Flag, v.description('true: only those whose day is over, in UTC.'))),
  ...Page,
})

export const NoticePageShape = v.object({ items: v.array(NoticeShape) })
export const NoticesQuery = exactObject({
  unread: v.optional(v.pipe(Flag, v.description('true: only unread notices.')), false),
  ...Page,
})
export const UnreadShape = v.object({ unread: v.pipe(v.number(), v.description('The number of unread notices.')) })
export const ReadInput = exactObject({
  ids: v.optional(v.pipe(listOf(Id, MAX_PAGE), v.description('Default: all notices.'))),
})

const Off = listOf(v.picklist(NOTICE_KINDS, `must be one of ${NOTICE_KINDS.join(', ')}`), NOTICE_KINDS.length)
export const NoticeSettingsInput = exactObject({
  off: v.optional(v.pipe(Off, v.description('Kinds that are switched off. Default: as they are.'))),
  email: v.optional(v.pipe(v.nullable(MailAddress), v.description('Where summaries go. Default: as it is.'))),
  summary: v.optional(v.pipe(SummaryInput, v.description('The daily summary. Default: as it is.'))),
})
export const NoticeSettingsShape = v.object({
  off: v.array(v.picklist(NOTICE_KINDS)),
  email: v.pipe(v.nullable(v.string()), v.description('Only you can read it. null: none.')),
  summary: v.object({
    isOn: v.boolean(),
    hour: v.number(),
    timeZone: v.string(),
    language: v.string(),
    isAvailable: v.pipe(v.boolean(), v.description('Whether an administrator has set up a messenger.')),
  }),
})

export const MessengerShape = v.object({
  messenger: v.pipe(
    v.nullable(
      v.object({
        type: v.string(),
        config: v.pipe(v.record(v.string(), v.unknown()), v.description('Secrets are `********`.')),
        updatedAt: Timestamp,
        lastSentAt: v.pipe(v.nullable(Timestamp), v.description('The last message that was accepted.')),
        lastFailure: v.pipe(
          v.nullable(v.object({ at: Timestamp, message: v.string() })),
          v.description('The last message that was not accepted; null: none since the last one that was.'),
        ),
      }),
    ),
    v.description('null: none is set up.'),
  ),
  types: v.pipe(
    v.array(v.object({ type: v.string(), title: v.string(), secrets: v.array(v.string()) })),
    v.description('The installed messengers.'),
  ),
})
export const MessengerCheckShape = v.object({
  ok: v.boolean(),
  message: v.pipe(v.string(), v.description('Where the trial message went, or why it could not be sent.')),
})
