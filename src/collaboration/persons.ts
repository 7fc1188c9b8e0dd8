// People: their names, and who of them may read a comment. Contract 5 §3.
import { canRead, canReadAll, hasPermission, type Role } from '../core/accounts/rules/permissions.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import type { Reads } from '../store/port.ts'
import { type Actor, actorKey, type NamedActor } from './rules/actor.ts'

type PeopleReads = Pick<Reads, 'users' | 'apiKeys'>

/** Names actors; each is looked up once. */
export async function nameAll(reads: PeopleReads, actors: readonly Actor[]): Promise<(actor: Actor) => NamedActor> {
  const asked = new Map(actors.map((actor) => [actorKey(actor), actor]))
  const found = await Promise.all(
    [...asked].map(async ([key, { id, kind }]) => {
      const holder = kind === 'user' ? await reads.users.get(id) : await reads.apiKeys.get(id)
      return [key, holder?.name ?? null] as const
    }),
  )
  const names = new Map(found)
  return ({ id, kind }) => ({ id, kind, name: names.get(actorKey({ id, kind })) ?? null })
}

/** A comment or an assignment is about a record of a schema, or about one attribute of the record. */
interface Subject {
  readonly schemaId: string
  readonly attributeAlias: string | null
}

/**
 * Whether the role may read comments on the subject. If the schema has lost the attribute, only a role without hidden
 * attributes may.
 */
export function mayReadSubject(
  role: Role,
  model: Pick<Model, 'schemas'>,
  { schemaId, attributeAlias }: Subject,
): boolean {
  if (!hasPermission(role, 'records.read')) return false
  if (attributeAlias === null || canReadAll(role, schemaId)) return true
  const isKnown = model.schemas.get(schemaId)?.attribute(attributeAlias) !== undefined
  return isKnown && canRead(role, schemaId, attributeAlias)
}

/** The attributes of the schema whose comments the role may read; undefined: all. */
export function readableAliases(role: Role, schema: Schema): readonly string[] | undefined {
  if (canReadAll(role, schema.id)) return undefined
  return schema.attributes.map(({ alias }) => alias).filter((alias) => canRead(role, schema.id, alias))
}

/** Why a person cannot get notices of the subject; undefined: the person can. */
export async function whyNot(
  reads: Pick<Reads, 'users' | 'model'>,
  userId: string,
  subject: Subject,
): Promise<string | undefined> {
  const user = await reads.users.get(userId)
  if (user === undefined) return 'does not exist'
  if (user.disabled) return 'is disabled'
  const model = await reads.model()
  const role = model.roles.get(user.roleId)
  const mayRead = role !== undefined && mayReadSubject(role, model, subject)
  if (mayRead) return undefined
  return subject.attributeAlias === null || role === undefined || !hasPermission(role, 'records.read')
    ? 'may not read the record'
    : `may not read the attribute '${subject.attributeAlias}'`
}

const MAX_SHOWN = 20

export interface Person {
  readonly id: string
  readonly name: string
  readonly username: string
}

/** The first users who may read the subject and whose name or username contains the text, above all those whose begins with it. */
export async function findReaders(
  reads: Pick<Reads, 'users' | 'model'>,
  subject: Subject,
  text: string,
): Promise<Person[]> {
  const model = await reads.model()
  const wanted = text.trim().toLocaleLowerCase()
  const contains = (name: string): boolean => name.toLocaleLowerCase().includes(wanted)
  const begins = (name: string): boolean => name.toLocaleLowerCase().startsWith(wanted)
  const rank = ({ name, username }: Omit<Person, 'id'>): number => (begins(name) || begins(username) ? 0 : 1)
  const users = (await reads.users.list()).toSorted((one, other) => rank(one) - rank(other))
  const found: Person[] = []
  for (const { id, name, username, roleId, disabled } of users) {
    const role = model.roles.get(roleId)
    if (disabled || role === undefined || !(contains(name) || contains(username))) continue
    if (mayReadSubject(role, model, subject)) found.push({ id, name, username })
    if (found.length === MAX_SHOWN) break
  }
  return found
}
