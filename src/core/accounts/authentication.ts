// Finds the caller of a credential, and gives a token for a password. Contract 1 §5, 2 §2.
import { hasEnded, type Session, type StoredUser, withoutToken } from './rules/account.ts'
import { unauthorized } from '../../kernel/errors.ts'
import type { Model } from '../model/rules/model.ts'
import type { Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from './caller.ts'
import type { Credentials } from './credentials.ts'
import type { KeyUsage } from './key-usage.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { noteLogout } from './account-entries.ts'
import type { PasswordHasher } from './passwords.ts'
import type { SignIns } from './sign-ins.ts'
import type { TokenContent, Tokens } from './tokens.ts'

/** The most characters of a key: pimlet makes no longer keys. */
const MAX_KEY_LENGTH = 1024

/** The credentials in the headers, unchecked. */
export interface PresentedCredentials {
  readonly bearerToken: string | undefined
  readonly apiKey: string | undefined
}

export function createAuthenticationService(deps: {
  store: Store
  system: System
  credentials: Credentials
  tokens: Tokens
  passwords: PasswordHasher
  throttle: LoginThrottle
  keyUsage: KeyUsage
  signIns: SignIns
}) {
  const { store, system, credentials, tokens, passwords, throttle, keyUsage, signIns } = deps

  async function userOfToken(token: string): Promise<StoredUser> {
    const content = await tokens.read(token)
    return assertAlive(await credentials.user(content.userId), content)
  }

  async function callerOfToken(token: string): Promise<Caller> {
    const user = await userOfToken(token)
    const again = (): Promise<Caller> => authenticate({ bearerToken: token, apiKey: undefined })
    return toCaller(user, 'user', await store.read.model(), again)
  }

  async function callerOfKey(key: string): Promise<Caller> {
    if (key.length > MAX_KEY_LENGTH) throw unauthorized()
    const found = await credentials.apiKey(key)
    if (found === undefined || isExpired(found.expiresAt, system)) throw unauthorized()
    const again = (): Promise<Caller> => authenticate({ bearerToken: undefined, apiKey: key })
    const caller = toCaller(found, 'apiKey', await store.read.model(), again)
    keyUsage.note(found.id)
    return caller
  }

  function callerOf({ bearerToken, apiKey }: PresentedCredentials): Promise<Caller> {
    if (bearerToken !== undefined) return callerOfToken(bearerToken)
    return apiKey === undefined ? Promise.reject(unauthorized()) : callerOfKey(apiKey)
  }

  function authenticate(presented: PresentedCredentials): Promise<Caller> {
    return store.fresh === undefined ? callerOf(presented) : store.fresh().then(() => callerOf(presented))
  }

  return {
    /** Finds the caller. If a request has both a token and a key, the token decides. @throws UNAUTHORIZED */
    authenticate,

    /**
     * Signs a user in. The answer does not reveal whether the user is unknown or disabled, or the password is wrong.
     * @throws UNAUTHORIZED, RATE_LIMITED, UNAVAILABLE if too many logins wait, the reason of `signal`
     */
    async login(username: string, password: string, address: string, signal?: AbortSignal): Promise<Session> {
      const user = await checkPassword(username, password, address, signal)
      const [session] = await Promise.all([openSession(user), signIns.noteSuccess(user, address)])
      return session
    },

    /** @throws UNAUTHORIZED */
    async refresh(bearerToken: string | undefined): Promise<Session> {
      if (bearerToken === undefined) throw unauthorized()
      return openSession(await userOfToken(bearerToken))
    },

    /** Ends this token; the user's other tokens stay valid. @throws UNAUTHORIZED */
    async logout(bearerToken: string | undefined): Promise<void> {
      if (bearerToken === undefined) throw unauthorized()
      const token = await tokens.read(bearerToken)
      await credentials.change(async (tx) => {
        const user = assertAlive(await tx.users.get(token.userId), token)
        await tx.users.update(withoutToken(user, { id: token.id, expiresAt: token.expiresAt }, system.now()))
        noteLogout(tx, system, user.id)
      })
    },

    checkPassword,
    openSession,
  }

  async function checkPassword(
    username: string,
    password: string,
    address: string,
    signal?: AbortSignal,
  ): Promise<StoredUser> {
    const attempt = await throttle.begin(username, address, signal)
    const user = await findUser(username, password).catch((error: unknown) => {
      attempt.withdraw()
      throw error
    })
    if (user === undefined) {
      signIns.noteFailure(username, address)
      await attempt.fail()
      throw unauthorized('Wrong username or password')
    }
    await attempt.succeed()
    return user
  }

  /** Returns the enabled user with this password. An unknown user takes the same work. */
  async function findUser(username: string, password: string): Promise<StoredUser | undefined> {
    const user = await store.read.users.findByUsername(username)
    const isRight = await passwords.verify(password, user?.passwordHash)
    return user !== undefined && isRight && !user.disabled ? user : undefined
  }

  async function openSession(user: StoredUser): Promise<Session> {
    const { token, expiresAt } = await tokens.issue(user.id, user.tokenGeneration)
    const { id, username, name, roleId } = user
    const who = { id, username, name, roleId }
    return { accessToken: token, tokenType: 'Bearer', expiresAt: expiresAt.toISOString(), user: who }
  }
}

export type AuthenticationService = ReturnType<typeof createAuthenticationService>

/** Returns the user if the token still belongs to the user. @throws UNAUTHORIZED */
function assertAlive(user: StoredUser | undefined, token: TokenContent): StoredUser {
  if (user === undefined || user.disabled || user.tokenGeneration !== token.generation || hasEnded(user, token.id))
    throw unauthorized()
  return user
}

/** Looks the role up each time, so that a change of the role takes effect at once. */
function toCaller(
  holder: { readonly id: string; readonly name: string; readonly roleId: string },
  kind: Caller['kind'],
  { roles }: Model,
  again: () => Promise<Caller>,
): Caller {
  const role = roles.get(holder.roleId)
  if (role === undefined) throw unauthorized()
  return { id: holder.id, kind, name: holder.name, role, permission: undefined, again }
}

function isExpired(expiresAt: string | null, system: Pick<System, 'now'>): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= system.now().getTime()
}
