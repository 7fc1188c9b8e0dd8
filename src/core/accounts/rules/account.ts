// Users and API keys, in the form for clients. Contract 2 §2.
import * as v from 'valibot'
import { Flag, Id, Name, NewId, type OutputOf, Password, Timestamp } from '../../../kernel/input/validation.ts'

const Username = v.pipe(
  v.string('must be a string'),
  v.regex(/^[^\s\p{C}]{1,100}$/u, 'must be 1 to 100 characters without spaces or control characters'),
)

export const UserInput = v.object({
  id: v.optional(NewId),
  username: Username,
  name: v.optional(Name),
  roleId: Id,
  disabled: v.optional(Flag, false),
  password: Password,
})

export const UserUpdate = v.object({
  username: v.optional(Username),
  name: v.optional(Name),
  roleId: v.optional(Id),
  disabled: v.optional(Flag),
  password: v.optional(Password),
})

export const UserShape = v.object({
  id: v.string(),
  username: v.string(),
  name: v.string(),
  roleId: v.string(),
  disabled: v.boolean(),
  createdAt: Timestamp,
})

export type User = OutputOf<typeof UserShape>

/** The stored parts of a user that are never shown. */
interface UserSecrets {
  readonly passwordHash: string
  /** Rises with each change that ends the user's tokens; a token contains the number at its creation. */
  readonly tokenGeneration: number
  /** Tokens of this generation that were ended before they expired. */
  readonly endedTokens?: readonly EndedToken[]
}

interface EndedToken {
  readonly id: string
  /** Seconds since 1970: from this time, the token is expired anyway. */
  readonly expiresAt: number
}

export type StoredUser = User & UserSecrets

export const ApiKeyInput = v.object({
  id: v.optional(NewId),
  name: Name,
  roleId: Id,
  expiresAt: v.optional(
    v.nullable(
      v.pipe(
        v.string('must be a string'),
        v.metadata({ format: 'date-time' }),
        v.description('ISO 8601; null: never.'),
      ),
    ),
  ),
})
export type ApiKeyInput = OutputOf<typeof ApiKeyInput>

export const Session = v.object({
  accessToken: v.string(),
  tokenType: v.literal('Bearer'),
  expiresAt: Timestamp,
  user: v.object({ id: v.string(), username: v.string(), name: v.string(), roleId: v.string() }),
})
export type Session = OutputOf<typeof Session>

/**
 * Returns the generation after `before` (0: none). It differs from all earlier ones, even of a deleted user with the
 * same ID.
 */
export function nextTokenGeneration(before: number, now: Date): number {
  return Math.max(before + 1, now.getTime())
}

/** The most ended tokens that are remembered for a user; one more ends all tokens of the user. */
const MAX_ENDED_TOKENS = 100

/** Returns `user` without this token. */
export function withoutToken(user: StoredUser, token: EndedToken, now: Date): StoredUser {
  const isGood = ({ expiresAt }: EndedToken): boolean => expiresAt * 1000 > now.getTime()
  const endedTokens = [...(user.endedTokens ?? []).filter(isGood), token]
  if (endedTokens.length <= MAX_ENDED_TOKENS) return { ...user, endedTokens }
  return { ...user, endedTokens: [], tokenGeneration: nextTokenGeneration(user.tokenGeneration, now) }
}

export function hasEnded({ endedTokens }: StoredUser, tokenId: string): boolean {
  return endedTokens?.some(({ id }) => id === tokenId) === true
}

/** Returns `user` with a new password, which ends all tokens of the user. */
export function withPassword(user: StoredUser, passwordHash: string, now: Date): StoredUser {
  return { ...user, passwordHash, tokenGeneration: nextTokenGeneration(user.tokenGeneration, now) }
}

export const ApiKey = v.object({
  id: v.string(),
  name: v.string(),
  roleId: v.string(),
  expiresAt: v.nullable(Timestamp),
  createdAt: Timestamp,
  lastUsedAt: v.pipe(v.nullable(Timestamp), v.description('Precise to the hour.')),
})
export type ApiKey = OutputOf<typeof ApiKey>

/** `hash`: SHA-256 of the key, hexadecimal. Keys are random and long, so no slow hash is needed. */
export type StoredApiKey = ApiKey & { readonly hash: string }
