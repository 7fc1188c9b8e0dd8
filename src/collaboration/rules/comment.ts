// Comments: their limits, their mentions, and the rights of callers. Contract 5 §3.
import * as v from 'valibot'
import { hasPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import { denied, invalid } from '../../kernel/errors.ts'
import { Id, Alias, NOT_BLANK, type OutputOf, Flag, Timestamp } from '../../kernel/input/validation.ts'
import { type Actor, ActorShape, isActor } from './actor.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Page } from '../../kernel/input/common-shapes.ts'
import { ScopeShape } from '../../core/scopes/scope.ts'

/** Characters of a comment. */
const MAX_COMMENT = 4000
/** Users that one comment mentions. */
export const MAX_MENTIONS = 20
/** Comments of one record. */
export const MAX_COMMENTS = 2000
/** Open threads of one record. */
export const MAX_OPEN_THREADS = 200

export interface Comment extends Omit<CommentView, 'scope' | 'mentions' | 'author' | 'resolvedBy' | 'deleted'> {
  /** The schema of the record when the comment was written. */
  readonly schemaId: string
  /** `scopeKey` form. */
  readonly scope: string
  readonly author: Actor
  readonly resolvedBy: Actor | null
  /** The text is gone. The row stays because of the replies. */
  readonly isDeleted: boolean
}

const CommentText = v.pipe(
  v.string('must be a string'),
  v.check((text) => text.trim() !== '', 'must not be empty'),
  v.metadata(NOT_BLANK),
  v.maxLength(MAX_COMMENT, `must be at most ${MAX_COMMENT} characters long`),
  v.description('Plain text. `@[usr-1]` mentions the user with the ID `usr-1`.'),
)

const MENTION = /@\[([A-Za-z0-9][A-Za-z0-9._~-]{0,127})\]/g

export const CommentInput = exactObject({
  text: CommentText,
  attributeAlias: v.optional(
    v.pipe(v.nullable(Alias), v.description('Default: the comment is about the whole record.')),
  ),
  scope: v.optional(v.pipe(ScopeInput, v.description('A scope of the attribute. Default: the global scope.'))),
  threadId: v.optional(v.pipe(v.nullable(Id), v.description('The comment that is answered. A reply has no replies.'))),
})
export type NewComment = OutputOf<typeof CommentInput>

export const CommentUpdate = exactObject({
  text: v.optional(CommentText),
  resolved: v.optional(v.pipe(Flag, v.description('Resolves or reopens the thread that the comment begins.'))),
})
export type CommentChange = OutputOf<typeof CommentUpdate>

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
export type CommentsQuery = OutputOf<typeof CommentsQuery>

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
export type CommentView = OutputOf<typeof CommentShape>

/** The IDs of the users that a text mentions, each once, in order. */
export function mentionsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(MENTION)].map(([, id]) => id!))]
}

/** @throws VALIDATION_ERROR */
export function assertFewMentions(ids: readonly string[]): void {
  if (ids.length > MAX_MENTIONS) throw invalid(`text mentions ${ids.length} users: at most ${MAX_MENTIONS} are allowed`)
}

/** @throws PERMISSION_DENIED */
export function assertMayEdit(caller: Actor, comment: Comment): void {
  if (!isActor(caller, comment.author)) throw denied('Only its author may change the text of a comment')
}

/** @throws PERMISSION_DENIED */
export function assertMayDelete(caller: Actor & { readonly role: Role }, comment: Comment): void {
  if (isActor(caller, comment.author) || hasPermission(caller.role, 'comments.moderate')) return
  throw denied(`Your role lacks the permission 'comments.moderate', which deletes comments of others`)
}

/** The comment without its text. */
export function withoutText(comment: Comment): Comment {
  return { ...comment, text: '', isDeleted: true }
}
