// Use cases of comments: writing, reading, resolving and deleting them. Contract 5 §3.
import type { Caller } from '../core/accounts/caller.ts'
import { assertPermission } from '../core/accounts/rules/permissions.ts'
import { findModelOf, findRecord } from '../core/records/readable-records.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { parseScopeKey, scopeKey } from '../core/scopes/scope.ts'
import { readScope } from '../core/values/values.ts'
import { denied, invalid, notFound, PimletError, shorten } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { CommentPlace } from '../store/collaboration-port.ts'
import type { Reads, Store, Transaction } from '../store/port.ts'
import type { StoredRecord } from '../store/record-port.ts'
import { viewComment, viewComments } from './comment-views.ts'
import {
  type CommentView,
  assertFewMentions,
  assertMayDelete,
  assertMayEdit,
  type Comment,
  type CommentChange,
  type CommentsQuery,
  MAX_COMMENTS,
  MAX_OPEN_THREADS,
  mentionsIn,
  type NewComment,
  withoutText,
} from './rules/comment.ts'
import { findReaders, mayReadSubject, type Person, readableAliases, whyNot } from './persons.ts'
import { asActor } from './rules/actor.ts'
import { writeCursor } from '../kernel/input/cursors.ts'
import { readPlace } from './rules/places.ts'
import { followFirst, tellOfComment, tellOfMentions } from './telling.ts'

type Place = Pick<Comment, 'attributeAlias' | 'scope' | 'threadId'>

export function createCommentService({ store, system }: { store: Store; system: System }) {
  const now = (): string => system.now().toISOString()

  return {
    /**
     * @throws NOT_FOUND, LIMIT_EXCEEDED
     * @throws VALIDATION_ERROR for an unknown attribute or scope, and for a reply to a reply
     * @throws VALIDATION_ERROR for a mention of somebody who may not read the record
     * @throws PERMISSION_DENIED for a hidden attribute
     */
    create: (caller: Caller, recordId: string, input: NewComment): Promise<CommentView> =>
      store.transaction(async (tx) => {
        assertPermission(caller.role, 'records.read')
        const record = await findRecord(tx, recordId)
        const place = await findPlace(tx, caller, record, input)
        const comment: Comment = {
          id: system.newId('cmt'),
          recordId,
          schemaId: record.schemaId,
          ...place,
          author: asActor(caller),
          text: input.text,
          createdAt: now(),
          editedAt: null,
          resolvedAt: null,
          resolvedBy: null,
          isDeleted: false,
        }
        await assertMentions(tx, comment, [])
        await assertRoom(tx, comment)
        await tx.comments.insert(comment)
        await tellOfComment(tx, system, { comment, by: caller })
        await followFirst(tx, recordId, caller)
        return keepAnswer(tx, caller, await viewComment(tx, comment))
      }),

    /** @throws NOT_FOUND also where the caller may not read the attribute */
    get: (caller: Caller, id: string): Promise<CommentView> =>
      store.snapshot(async (reads) => viewComment(reads, await findComment(reads, caller, id))),

    /** `next`: the cursor of the next page. @throws NOT_FOUND, VALIDATION_ERROR for a cursor that is none */
    list: (caller: Caller, recordId: string, query: CommentsQuery) =>
      store.snapshot(async (reads) => {
        const after = query.after === undefined ? undefined : readCommentPlace(query.after)
        const record = await findRecord(reads, recordId)
        const { schema } = await findModelOf(reads, record)
        const { state, order, limit, attributeAlias } = query
        const found = await reads.comments.list({
          recordId,
          readable: { schemaId: schema.id, aliases: readableAliases(caller.role, schema) },
          attributeAlias,
          isOpen: state === 'all' ? undefined : state === 'open',
          order,
          after,
          limit: limit + 1,
        })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        const items = await viewComments(
          reads,
          page.map(({ comment }) => comment),
        )
        return { items, next: found.length > limit && last ? writeCursor([last.thread, last.n]) : null }
      }),

    /** Open threads of records, by value, as far as the caller may read the values. Unknown records are left out. */
    countOpen: (caller: Caller, recordIds: readonly string[]) =>
      store.snapshot(async (reads) => {
        const model = await reads.model()
        const rows = await reads.comments.openOf(recordIds)
        return rows
          .filter((row) => mayReadSubject(caller.role, model, row))
          .map(({ recordId, attributeAlias, scope, open }) => ({
            recordId,
            attributeAlias,
            scope: parseScopeKey(scope),
            open,
          }))
      }),

    /**
     * Changes the text, by its author; or resolves or reopens a thread.
     * @throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR, CONFLICT for a deleted text, LIMIT_EXCEEDED
     */
    change: (caller: Caller, id: string, change: CommentChange): Promise<CommentView> =>
      store.transaction(async (tx) => {
        const before = await findComment(tx, caller, id)
        const edited = change.text === undefined ? before : await edit(tx, caller, before, change.text)
        const after = change.resolved === undefined ? edited : await resolve(tx, caller, edited, change.resolved)
        if (after !== before) await tx.comments.update(after)
        return viewComment(tx, after)
      }),

    /** @throws NOT_FOUND, PERMISSION_DENIED */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction(async (tx) => {
        const comment = await findComment(tx, caller, id)
        assertMayDelete(caller, comment)
        if (comment.threadId === null && (await tx.comments.countReplies(id)) > 0)
          return tx.comments.update(withoutText(comment))
        await tx.comments.delete(id)
        await deleteEmptyThread(tx, comment.threadId)
      }),

    /** People whom a comment on the record, or on one of its attributes, may mention. @throws NOT_FOUND */
    findReaders: (
      caller: Caller,
      recordId: string,
      { attributeAlias = null, text = '' }: { attributeAlias?: string | undefined | null; text?: string | undefined },
    ): Promise<Person[]> =>
      store.snapshot(async (reads) => {
        const { schemaId } = await findRecord(reads, recordId)
        const subject = { schemaId, attributeAlias }
        assertPermission(caller.role, 'records.read')
        if (!mayReadSubject(caller.role, await reads.model(), subject)) throw unreadable(attributeAlias)
        return findReaders(reads, subject, text)
      }),

    /** Whether the caller gets notices of comments on the record. @throws NOT_FOUND */
    follows: (caller: Caller, recordId: string): Promise<{ follows: boolean }> =>
      store.snapshot(async (reads) => {
        await findRecord(reads, recordId)
        const follows = caller.kind === 'user' && (await reads.followers.get(recordId, caller.id)) === true
        return { follows }
      }),

    /** @throws NOT_FOUND, PERMISSION_DENIED for an API key, which gets no notices */
    follow: (caller: Caller, recordId: string, follows: boolean): Promise<{ follows: boolean }> =>
      store.transaction(async (tx) => {
        if (caller.kind !== 'user') throw denied('An API key gets no notices, and follows no record')
        await findRecord(tx, recordId)
        await tx.followers.set(recordId, caller.id, follows)
        return { follows }
      }),
  }

  async function edit(tx: Transaction, caller: Caller, before: Comment, text: string): Promise<Comment> {
    assertMayEdit(caller, before)
    if (before.isDeleted) throw new PimletError('CONFLICT', `The comment '${before.id}' is deleted`)
    if (text === before.text) return before
    const comment = { ...before, text, editedAt: now() }
    const known = mentionsIn(before.text)
    await assertMentions(tx, comment, known)
    await tellOfMentions(tx, system, { comment, by: caller, known })
    return comment
  }

  async function resolve(tx: Transaction, caller: Caller, comment: Comment, isResolved: boolean): Promise<Comment> {
    if (comment.threadId !== null)
      throw invalid(`resolved belongs to the comment that begins the thread: '${comment.threadId}'`)
    if (isResolved === (comment.resolvedAt !== null)) return comment
    if (!isResolved) await assertFewOpen(tx, comment.recordId)
    return { ...comment, resolvedAt: isResolved ? now() : null, resolvedBy: isResolved ? asActor(caller) : null }
  }
}

/** @throws NOT_FOUND also where its record is deleted, and where the caller may not read the attribute */
async function findComment(
  reads: Pick<Reads, 'comments' | 'records' | 'model'>,
  { role }: Caller,
  id: string,
): Promise<Comment> {
  const comment = await reads.comments.get(id)
  const isThere = comment !== undefined && (await reads.records.existing([comment.recordId])).has(comment.recordId)
  if (!isThere || !mayReadSubject(role, await reads.model(), comment)) throw notFound('Comment', id)
  return comment
}

/** Where a new comment stands. Throws as `create` does. */
async function findPlace(
  tx: Transaction,
  caller: Caller,
  record: StoredRecord,
  { attributeAlias: alias = null, scope, threadId = null }: NewComment,
): Promise<Place> {
  if (threadId !== null) return findThread(tx, caller, record, { alias, scope, threadId })
  if (alias === null) {
    if (scope !== undefined) throw invalid('scope needs attributeAlias: it is a scope of the attribute')
    return { attributeAlias: null, scope: '', threadId: null }
  }
  const { model, schema } = await findModelOf(tx, record)
  if (!mayReadSubject(caller.role, model, { schemaId: schema.id, attributeAlias: alias })) throw unreadable(alias)
  const attribute = schema.attribute(alias)
  if (attribute === undefined)
    throw invalid(`attributeAlias names '${shorten(alias, 64)}', which the schema '${schema.id}' does not define`)
  const read = readScope(scope ?? {}, attribute, model, 'scope')
  return { attributeAlias: alias, scope: scopeKey(read), threadId: null }
}

async function findThread(
  tx: Transaction,
  caller: Caller,
  record: StoredRecord,
  { alias, scope, threadId }: { readonly alias: string | null; readonly scope: unknown; readonly threadId: string },
): Promise<Place> {
  if (alias !== null || scope !== undefined)
    throw invalid('threadId does not go with attributeAlias and scope: a reply has those of its thread')
  const head = await findComment(tx, caller, threadId)
  if (head.recordId !== record.id) throw notFound('Comment', threadId, `the record '${record.id}' has none like it`)
  if (head.threadId !== null) throw invalid(`threadId names a reply: answer the comment '${head.threadId}'`)
  return { attributeAlias: head.attributeAlias, scope: head.scope, threadId }
}

function unreadable(alias: string | null): PimletError {
  return denied(`Your role may not read the attribute '${shorten(alias ?? '', 64)}'`)
}

/** @param known mentions that were checked before @throws VALIDATION_ERROR */
async function assertMentions(tx: Transaction, comment: Comment, known: readonly string[]): Promise<void> {
  const ids = mentionsIn(comment.text)
  assertFewMentions(ids)
  for (const id of ids.filter((one) => !known.includes(one))) {
    const because = await whyNot(tx, id, comment)
    if (because !== undefined) throw invalid(`text mentions the user '${shorten(id)}', who ${because}`)
  }
}

/** @throws LIMIT_EXCEEDED */
async function assertRoom(tx: Transaction, { recordId, threadId }: Comment): Promise<void> {
  const { comments } = await tx.comments.counts(recordId)
  if (comments >= MAX_COMMENTS)
    throw new PimletError('LIMIT_EXCEEDED', `The record has ${comments} comments: at most ${MAX_COMMENTS} are allowed`)
  if (threadId === null) await assertFewOpen(tx, recordId)
}

/** @throws LIMIT_EXCEEDED */
async function assertFewOpen(tx: Transaction, recordId: string): Promise<void> {
  const { open } = await tx.comments.counts(recordId)
  if (open < MAX_OPEN_THREADS) return
  const message = `The record has ${open} open threads: at most ${MAX_OPEN_THREADS} are allowed. Resolve one first`
  throw new PimletError('LIMIT_EXCEEDED', message)
}

/** Deletes the first comment of a thread, if its text is deleted and no reply is left. */
async function deleteEmptyThread(tx: Transaction, threadId: string | null): Promise<void> {
  if (threadId === null || (await tx.comments.get(threadId))?.isDeleted !== true) return
  if ((await tx.comments.countReplies(threadId)) === 0) await tx.comments.delete(threadId)
}

function readCommentPlace(cursor: string): CommentPlace {
  const [thread, n] = readPlace(cursor, ['number', 'number']) as [number, number]
  return { thread, n }
}
