// Entries about users, API keys and sign-ins in the feed of changes. No entry contains a secret. Contract 3 §3.1.
import * as v from 'valibot'
import type { ApiKey, User } from '../../accounts/rules/account.ts'
import { shorten } from '../../../kernel/errors.ts'
import { type OutputOf, Timestamp } from '../../../kernel/input/validation.ts'
import { escapeControls } from '../../../kernel/text.ts'
import { diffMembers, type MemberChange, MemberChangeShape } from './model-entry.ts'

const ACCOUNT_ENTITY_TYPES = ['user', 'apiKey'] as const
const ACCOUNT_ACTIONS = ['create', 'update', 'delete', 'login', 'loginFailed', 'logout'] as const
/** api: a request; command: a command on the workspace itself. */
const ACCOUNT_ORIGINS = ['api', 'command'] as const
type AccountOrigin = (typeof ACCOUNT_ORIGINS)[number]

/** The `userId` of an entry without a known user. */
export const NOBODY = 'system'

export const SignInShape = v.object({
  username: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The first 100 characters of the username as typed, with control characters escaped. null: several usernames.',
    ),
  ),
  address: v.pipe(v.nullable(v.string()), v.description('The address of the client. null: several addresses.')),
  count: v.pipe(v.number(), v.description('The number of sign-ins in this entry.')),
  since: v.pipe(Timestamp, v.description('The time of the first of these sign-ins.')),
})
export type SignIn = OutputOf<typeof SignInShape>

export const AccountEntryShape = v.object({
  id: v.string(),
  entityType: v.picklist(ACCOUNT_ENTITY_TYPES),
  entityId: v.pipe(
    v.nullable(v.string()),
    v.description('ID of the user or API key. null: no user has this username.'),
  ),
  userId: v.pipe(v.string(), v.description('Who made the change. `system` for commands and failed sign-ins.')),
  timestamp: Timestamp,
  action: v.picklist(ACCOUNT_ACTIONS),
  changes: v.pipe(
    v.array(MemberChangeShape),
    v.description('If a `password` was set, both values are null. Empty for sign-ins and sign-outs.'),
  ),
  origin: v.object({
    kind: v.pipe(
      v.picklist(ACCOUNT_ORIGINS),
      v.description('command: a pimlet command that ran on the workspace itself.'),
    ),
  }),
  signIn: v.optional(v.pipe(SignInShape, v.description('For `login` and `loginFailed`.'))),
})

export type AccountEntry = OutputOf<typeof AccountEntryShape>

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
