// Shapes of comments, assignments and notices. Contract 5 §3.
import * as v from 'valibot'
import { ScopeShape } from '../../core/scopes/scope.ts'
import { MAX_PAGE } from '../../kernel/input/common-shapes.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Flag, Id, listOf, textUpTo, Timestamp } from '../../kernel/input/validation.ts'
import { AssignmentShape } from '../rules/assignment.ts'
import { NOTICE_KINDS, NoticeShape } from '../rules/notice.ts'
import { CommentShape } from '../rules/comment.ts'

export const CommentPageShape = v.object({ items: v.array(CommentShape) })

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

export const AssignmentPageShape = v.object({ items: v.array(AssignmentShape) })
export const AssignedShape = v.object({ ids: v.pipe(v.array(v.string()), v.description('In the order of recordIds.')) })

export const NoticePageShape = v.object({ items: v.array(NoticeShape) })

export const UnreadShape = v.object({ unread: v.pipe(v.number(), v.description('The number of unread notices.')) })
export const ReadInput = exactObject({
  ids: v.optional(v.pipe(listOf(Id, MAX_PAGE), v.description('Default: all notices.'))),
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
