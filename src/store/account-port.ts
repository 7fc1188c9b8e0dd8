// Reads of users and API keys, and failed logins: part of `port.ts`.
import type { StoredApiKey, StoredUser } from '../core/accounts/rules/account.ts'
import type { ReadRepository } from './document-port.ts'

export interface UserReads extends ReadRepository<StoredUser> {
  findByUsername(username: string): Promise<StoredUser | undefined>
}

export interface ApiKeyReads extends ReadRepository<StoredApiKey> {
  findByHash(hash: string): Promise<StoredApiKey | undefined>
}

/** At a moment in milliseconds since 1970; several may have failed at the same one. */
export interface LoginFailure {
  readonly id: string
  readonly at: number
}

/** Failed logins, where several servers count them together. */
export interface LoginFailures {
  /** The failures after `since`, for each subject. */
  of(subjects: readonly string[], since: number): Promise<readonly (readonly LoginFailure[])[]>
  /** Adds the failure to each of the subjects. Failures up to `since` are forgotten. */
  add(subjects: readonly string[], failure: LoginFailure, since: number): Promise<void>
  forget(subject: string): Promise<void>
}
