// Entries about users, API keys and sign-ins in the feed of changes. No entry contains a secret. Contract 3 §3.1.
import type { ApiKey, User } from '../../accounts/rules/account.ts'
import { shorten } from '../../../kernel/errors.ts'
import { escapeControls } from '../../../kernel/text.ts'
import { diffMembers, type MemberChange } from './model-entry.ts'

export const ACCOUNT_ENTITY_TYPES = ['user', 'apiKey'] as const
type AccountEntityType = (typeof ACCOUNT_ENTITY_TYPES)[number]

export const ACCOUNT_ACTIONS = ['create', 'update', 'delete', 'login', 'loginFailed', 'logout'] as const
type AccountAction = (typeof ACCOUNT_ACTIONS)[number]

/** api: a request; command: a command on the workspace itself. */
export const ACCOUNT_ORIGINS = ['api', 'command'] as const
type AccountOrigin = (typeof ACCOUNT_ORIGINS)[number]

/** The `userId` of an entry without a known user. */
export const NOBODY = 'system'

export interface SignIn {
  /** The typed username, shortened, with escaped control characters; null: several usernames. */
  readonly username: string | null
  /** The address of the request; null: several addresses. */
  readonly address: string | null
  /** The number of sign-ins that the entry represents. */
  readonly count: number
  /** The time of the first of these sign-ins: ISO 8601. */
  readonly since: string
}

export interface AccountEntry {
  readonly id: string
  readonly entityType: AccountEntityType
  /** Null: no user has the username. */
  readonly entityId: string | null
  readonly userId: string
  readonly timestamp: string
  readonly action: AccountAction
  readonly changes: readonly MemberChange[]
  readonly origin: { readonly kind: AccountOrigin }
  /** Only in `login` and `loginFailed`. */
  readonly signIn?: SignIn
}

type EntryHead = Pick<AccountEntry, 'id' | 'userId' | 'timestamp'>

interface UserChange {
  readonly entityType: 'user'
  /** Undefined: the user did not exist. */
  readonly before?: User | undefined
  /** Undefined: the user no longer exists. */
  readonly after?: User | undefined
  readonly hasNewPassword?: boolean
}

interface KeyChange {
  readonly entityType: 'apiKey'
  readonly before?: ApiKey | undefined
  readonly after?: ApiKey | undefined
}

export type AccountChange = UserChange | KeyChange

/** Returns the entry about a change; undefined: nothing has changed. */
export function defineAccountEntry(
  head: EntryHead,
  change: AccountChange,
  origin: AccountOrigin = 'api',
): AccountEntry | undefined {
  const { entityType, before, after } = change
  const hasNewPassword = entityType === 'user' && change.hasNewPassword === true
  const told = diffMembers(before && membersOf(before), after && membersOf(after))
  const changes = hasNewPassword ? [...told, PASSWORD_SET] : told
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
  if (action === 'update' && changes.length === 0) return undefined
  return { ...head, entityType, entityId: (before ?? after)!.id, action, changes, origin: { kind: origin } }
}

/** The entry states that a password was set, and never contains the password. */
const PASSWORD_SET: MemberChange = { field: 'password', oldValue: null, newValue: null }

/** Selects members by name, because the stored account also contains secrets. */
function membersOf(account: User | ApiKey): object {
  const { name, roleId } = account
  if ('username' in account) return { username: account.username, name, roleId, disabled: account.disabled }
  return { name, roleId, expiresAt: account.expiresAt }
}

/** Characters of a username that an entry shows. */
const SHOWN_USERNAME = 100

/** Returns a typed username in a form that can be shown. */
export function shownUsername(typed: string): string {
  return shorten(escapeControls(typed.slice(0, SHOWN_USERNAME + 1)), SHOWN_USERNAME)
}

/** @param userId undefined: no user has the username */
export function defineSignInEntry(
  head: Omit<EntryHead, 'userId'>,
  action: 'login' | 'loginFailed',
  userId: string | undefined,
  signIn: SignIn,
): AccountEntry {
  const who = action === 'login' && userId !== undefined ? userId : NOBODY
  const { id, timestamp } = head
  return {
    id,
    entityType: 'user',
    entityId: userId ?? null,
    userId: who,
    timestamp,
    action,
    changes: [],
    origin: { kind: 'api' },
    signIn,
  }
}

export function defineLogoutEntry(head: EntryHead): AccountEntry {
  return { ...head, entityType: 'user', entityId: head.userId, action: 'logout', changes: [], origin: { kind: 'api' } }
}
