// Comments as clients see them. Contract 5 §3.
import { parseScopeKey } from '../core/scopes/scope.ts'
import type { Reads } from '../store/port.ts'
import { nameAll } from './persons.ts'
import type { Actor, NamedActor } from './rules/actor.ts'
import { type Comment, type CommentView, mentionsIn } from './rules/comment.ts'

export async function viewComments(
  reads: Pick<Reads, 'users' | 'apiKeys'>,
  comments: readonly Comment[],
): Promise<CommentView[]> {
  const nameOf = await nameAll(reads, comments.flatMap(actorsOf))
  return comments.map((comment) => toView(comment, nameOf))
}

function toView(comment: Comment, nameOf: (actor: Actor) => NamedActor): CommentView {
  const { id, recordId, attributeAlias, threadId, text, createdAt, editedAt, resolvedAt, resolvedBy } = comment
  return {
    id,
    recordId,
    threadId,
    attributeAlias,
    scope: parseScopeKey(comment.scope),
    text,
    mentions: mentionsIn(text).map((userId) => ({ id: userId, name: nameOf({ id: userId, kind: 'user' }).name })),
    author: nameOf(comment.author),
    createdAt,
    editedAt,
    resolvedAt,
    resolvedBy: resolvedBy && nameOf(resolvedBy),
    deleted: comment.isDeleted,
  }
}

export async function viewComment(reads: Pick<Reads, 'users' | 'apiKeys'>, comment: Comment): Promise<CommentView> {
  return (await viewComments(reads, [comment]))[0]!
}

function actorsOf({ author, resolvedBy, text }: Comment): Actor[] {
  const mentioned = mentionsIn(text).map((id): Actor => ({ id, kind: 'user' }))
  return [author, ...(resolvedBy === null ? [] : [resolvedBy]), ...mentioned]
}
