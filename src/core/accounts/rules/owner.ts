// Owners of work that runs later. The work has the rights that its owner has at that moment. Contract 3 §12.
import * as v from 'valibot'
import { denied, PimletError, shorten } from '../../../kernel/errors.ts'
import type { ApiKey, User } from './account.ts'
import { canRead, type Role } from './permissions.ts'

const OWNER_KINDS = ['user', 'apiKey'] as const

export interface Owner {
  readonly ownerId: string
  /** A user and an API key may have the same ID. */
  readonly ownerKind: (typeof OWNER_KINDS)[number]
  /**
   * Only in data from a time without owners: the role of the last writer, who may have been another person. The owner
   * must have this role until the next write.
   */
  readonly roleId?: string | undefined
}

/**
 * OWNER: the owner lacks the permission. RECEIVER: the receiver refuses. INVALID: the stored definition does not fit
 * the model any more, or cannot be read.
 */
const PAUSE_CODES = ['OWNER', 'RECEIVER', 'INVALID'] as const

/** The reason why the server has paused the work. */
export interface PausedReason {
  readonly code: (typeof PAUSE_CODES)[number]
  readonly message: string
}

export const PausedReasonShape = v.pipe(
  v.nullable(v.object({ code: v.picklist(PAUSE_CODES), message: v.string() })),
  v.description(
    'Why the server paused it; null: the server did not. OWNER: the owner lacks a right, as the message says.',
  ),
)

/** The owner lacks the permission for the task. */
export class OwnerFault extends PimletError {
  constructor(message: string) {
    super('PERMISSION_DENIED', message)
  }

  get pausedReason(): PausedReason {
    return { code: 'OWNER', message: this.message }
  }
}

type Holder = Pick<User, 'roleId'> & Partial<Pick<User, 'disabled'> & Pick<ApiKey, 'expiresAt'>>

/** Returns the role of an owner. @param holder undefined: no user or key has the owner's ID @throws OwnerFault */
export function roleOfOwner(
  owner: Owner,
  holder: Holder | undefined,
  roles: ReadonlyMap<string, Role>,
  now: Date,
): Role {
  const who = nameOfOwner(owner)
  const role = holder && roles.get(holder.roleId)
  if (holder === undefined || role === undefined) throw new OwnerFault(`${who} no longer exists`)
  if (holder.disabled === true) throw new OwnerFault(`${who} is disabled`)
  const expiresAt = holder.expiresAt ?? null
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) throw new OwnerFault(`${who} has expired`)
  if (owner.roleId === undefined || owner.roleId === role.id) return role
  const before = `was written last with the role '${shorten(owner.roleId)}', before there were owners`
  throw new OwnerFault(`${who} has the role '${shorten(role.id)}' now, and this ${before}`)
}

/** Runs `check` with the owner's role. Its refusal names the owner. @throws OwnerFault */
export function asOwner(owner: Owner, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof PimletError) || error.code !== 'PERMISSION_DENIED') throw error
    const who = nameOfOwner(owner)
    throw new OwnerFault(error.message.replace(/^Your role/, `The role of ${who.replace(/^The/, 'the')}`))
  }
}

interface NamingSchema {
  readonly id: string
  attribute(alias: string): object | undefined
}

/** @throws PERMISSION_DENIED for an attribute that is hidden from the role in one of the schemas */
export function assertMayReadNamed(role: Role, schemas: readonly NamingSchema[], aliases: Iterable<string>): void {
  for (const alias of aliases)
    if (schemas.some((schema) => schema.attribute(alias) !== undefined && !canRead(role, schema.id, alias)))
      throw denied(`Your role may not read the attribute '${shorten(alias, 64)}'`)
}

export function isOwner(
  { id, kind }: { readonly id: string; readonly kind: Owner['ownerKind'] },
  owner: Owner,
): boolean {
  return owner.ownerId === id && owner.ownerKind === kind
}

/** Makes an owner of a caller. */
export function asOwnerOf({ id, kind }: { readonly id: string; readonly kind: Owner['ownerKind'] }): Owner {
  return { ownerId: id, ownerKind: kind }
}

function nameOfOwner({ ownerId, ownerKind }: Owner): string {
  return `The owner, the ${ownerKind === 'user' ? 'user' : 'API key'} '${shorten(ownerId, 128)}',`
}
