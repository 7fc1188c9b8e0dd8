// Comments in threads, and their subjects.
import type { Endpoints } from '../api/types.ts'

export type CommentBody = Endpoints['GET /api/v1/comments/:id']['reply']

export interface Thread {
  readonly head: CommentBody
  readonly replies: readonly CommentBody[]
}

/** A list in the order of threads. The replies of a thread may continue on the next page. */
export function threadsOf(comments: readonly CommentBody[]): readonly Thread[] {
  const threads: { readonly head: CommentBody; readonly replies: CommentBody[] }[] = []
  for (const comment of comments)
    if (comment.threadId === null) threads.push({ head: comment, replies: [] })
    else threads.find(({ head }) => head.id === comment.threadId)?.replies.push(comment)
  return threads
}
