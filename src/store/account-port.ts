// Reads of users and API keys, and failed logins: part of `port.ts`.
import type { StoredApiKey, StoredUser } from '../core/accounts/rules/account.ts'
import type { ReadRepository } from './document-port.ts'

export interface UserReads extends ReadRepository<StoredUser> {
  findByUsername(username: string): Promise<StoredUser | undefined>
}

export interface ApiKeyReads extends ReadRepository<StoredApiKey> {
  findByHash(hash: string): Promise<StoredApiKey | undefined>
}

/** A failed login. `at`: milliseconds since 1970; several failures may have the same time. */
export interface LoginFailure {
  readonly id: string
  readonly at: number
}

/** Failed logins that several servers count together. */
export interface LoginFailures {
  /** The failures after `since`, for each subject. */
  of(subjects: readonly string[], since: number): Promise<readonly (readonly LoginFailure[])[]>
  /** Adds the failure to each subject, and deletes failures up to `since`. */
  add(subjects: readonly string[], failure: LoginFailure, since: number): Promise<void>
  forget(subject: string): Promise<void>
}
