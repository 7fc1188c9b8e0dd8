// Whom a comment concerns: each person gets one notice of it, in its transaction. Contract 5 §3.
import type { System } from '../kernel/machine/system.ts'
import type { Transaction } from '../store/port.ts'
import { whyNot } from './persons.ts'
import { type Actor, asActor } from './rules/actor.ts'
import { type Comment, mentionsIn } from './rules/comment.ts'
import { type NoticeKind, noticeOf } from './rules/notice.ts'

/** People that get a notice of one comment, besides mentioned people: one commit writes all notices. */
const MAX_TOLD = 50

interface Telling {
  readonly comment: Comment
  readonly by: Actor
  /** Users that have the notice already. */
  readonly known?: readonly string[]
}

/** Notifies mentioned users, authors of the thread, and users who follow the record or have to work on it. */
export async function tellOfComment(tx: Transaction, system: System, telling: Telling): Promise<void> {
  const { comment } = telling
  const { threadId, recordId, text } = comment
  const kinds = new Map<string, NoticeKind>()
  const mentioned = mentionsIn(text)
  const add = (kind: NoticeKind, ids: readonly string[]): void => {
    for (const id of ids) if (!kinds.has(id) && kinds.size < mentioned.length + MAX_TOLD) kinds.set(id, kind)
  }
  add('mention', mentioned)
  if (threadId !== null) add('reply', usersAmong(await tx.comments.authorsOf(threadId)))
  add('comment', await tx.workAssignments.assigneesOf(recordId))
  add('comment', await tx.followers.list(recordId, MAX_TOLD))
  await tell(tx, system, telling, kinds)
}

/** Tells users whom an edited text mentions now. */
export async function tellOfMentions(tx: Transaction, system: System, telling: Telling): Promise<void> {
  const mentioned = mentionsIn(telling.comment.text).map((id) => [id, 'mention'] as const)
  await tell(tx, system, telling, new Map(mentioned))
}

async function tell(
  tx: Transaction,
  system: System,
  { comment, by, known = [] }: Telling,
  kinds: ReadonlyMap<string, NoticeKind>,
): Promise<void> {
  for (const [userId, kind] of kinds) {
    if ((by.kind === 'user' && by.id === userId) || known.includes(userId)) continue
    if ((await whyNot(tx, userId, comment)) !== undefined) continue
    const about = { recordId: comment.recordId, commentId: comment.id, actor: asActor(by) }
    const createdAt = system.now().toISOString()
    await tx.notices.add(userId, noticeOf({ id: system.newId('ntc'), kind, createdAt, ...about }))
  }
}

function usersAmong(actors: readonly Actor[]): string[] {
  return actors.filter(({ kind }) => kind === 'user').map(({ id }) => id)
}

/** From now on the user gets notices of comments on the record, unless the user has left the record. */
export async function followFirst(tx: Transaction, recordId: string, { id, kind }: Actor): Promise<void> {
  if (kind === 'user' && (await tx.followers.get(recordId, id)) === undefined)
    await tx.followers.set(recordId, id, true)
}
