// People who talk about shirts, for the tests of comments, assignments and notices.
import assert from 'node:assert/strict'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { makeUser, sessionOf } from '../helpers/people.ts'
import { make, makeShirt, type Workspace } from '../helpers/shirts.ts'

export interface Named {
  readonly id: string
  readonly kind: 'user' | 'apiKey'
  readonly name: string | null
}

export interface CommentBody {
  readonly id: string
  readonly recordId: string
  readonly threadId: string | null
  readonly attributeAlias: string | null
  readonly scope: Record<string, string>
  readonly text: string
  readonly mentions: { id: string; name: string | null }[]
  readonly author: Named
  readonly editedAt: string | null
  readonly resolvedAt: string | null
  readonly resolvedBy: Named | null
  readonly deleted: boolean
}

export interface AssignmentBody {
  readonly id: string
  readonly recordId: string
  readonly assignee: Named
  readonly assignedBy: Named
  readonly dueOn: string | null
  readonly note: string
  readonly state: string
  readonly overdue: boolean
  readonly changedBy: Named
}

export interface NoticeBody {
  readonly id: string
  readonly kind: string
  readonly read: boolean
  readonly actor: Named | null
  readonly recordId: string | null
  readonly commentId: string | null
  readonly assignmentId: string | null
  readonly count: number | null
  readonly exportJobId: string | null
  readonly exportRunId: string | null
  readonly importId: string | null
  readonly bulkJobId: string | null
}

export interface TalkingPerson {
  readonly id: string
  readonly name: string
  readonly client: Client
}

/** A user with a session. */
export async function makePerson(shop: Workspace, name: string, roleId = 'role-editor'): Promise<TalkingPerson> {
  const user = await makeUser(shop, { name, roleId })
  return { id: user.id, name, client: await sessionOf(shop, user.username) }
}

/** A new shirt; its ID. */
export async function newShirt(shop: Workspace): Promise<string> {
  return (await makeShirt(shop.admin, {})).id
}

export function say(client: Client, recordId: string, text: string, more: object = {}): Promise<CommentBody> {
  return make<CommentBody>(client, `/api/v1/records/${recordId}/comments`, { text, ...more })
}

/** The items of a list. */
export async function listOf<Item>(client: Client, path: string): Promise<Item[]> {
  const { status, body, text } = await send<{ items: Item[] }>(client, 'GET', path)
  assert.equal(status, 200, text)
  return body.items
}

export const commentsOf = (client: Client, recordId: string, query = ''): Promise<CommentBody[]> =>
  listOf(client, `/api/v1/records/${recordId}/comments${query}`)

export const noticesOf = (client: Client, query = ''): Promise<NoticeBody[]> =>
  listOf(client, `/api/v1/notices${query}`)

/** Marks all as read, so that a test sees only its own. */
export async function readAll(...people: readonly TalkingPerson[]): Promise<void> {
  for (const { client } of people) await send(client, 'POST', '/api/v1/notices/read', {})
}

/** The kinds of the unread notices, oldest first. */
export async function newKinds(client: Client): Promise<string[]> {
  return (await noticesOf(client, '?unread=true')).map(({ kind }) => kind).toReversed()
}
