// Comments: their limits, their mentions, and the rights of callers. Contract 5 §3.
import * as v from 'valibot'
import { hasPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import { denied, invalid } from '../../kernel/errors.ts'
import { NOT_BLANK } from '../../kernel/input/validation.ts'
import { type Actor, isActor } from './actor.ts'

/** Characters of a comment. */
const MAX_COMMENT = 4000
/** Users that one comment mentions. */
export const MAX_MENTIONS = 20
/** Comments of one record. */
export const MAX_COMMENTS = 2000
/** Open threads of one record. */
export const MAX_OPEN_THREADS = 200

export interface Comment {
  readonly id: string
  readonly recordId: string
  /** The schema of the record when the comment was written. */
  readonly schemaId: string
  /** null: about the whole record. */
  readonly attributeAlias: string | null
  /** `scopeKey` form. */
  readonly scope: string
  /** The comment that begins the thread; null: this one. */
  readonly threadId: string | null
  readonly author: Actor
  /** A mention is `@[ID of a user]`. */
  readonly text: string
  readonly createdAt: string
  readonly editedAt: string | null
  readonly resolvedAt: string | null
  readonly resolvedBy: Actor | null
  /** The text is gone. The row stays because of the replies. */
  readonly isDeleted: boolean
}

export const CommentText = v.pipe(
  v.string('must be a string'),
  v.check((text) => text.trim() !== '', 'must not be empty'),
  v.metadata(NOT_BLANK),
  v.maxLength(MAX_COMMENT, `must be at most ${MAX_COMMENT} characters long`),
  v.description('Plain text. `@[usr-1]` mentions the user with the ID `usr-1`.'),
)

const MENTION = /@\[([A-Za-z0-9][A-Za-z0-9._~-]{0,127})\]/g

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
