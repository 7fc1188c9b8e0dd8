// Who may do what, and who has failed to say who they are: part of `port.ts`.
import type { StoredApiKey, StoredUser } from '../domain/accounts/accounts.ts'
import type { ReadRepository } from './document-port.ts'

export interface UserReads extends ReadRepository<StoredUser> {
  findByUsername(username: string): Promise<StoredUser | undefined>
}

export interface ApiKeyReads extends ReadRepository<StoredApiKey> {
  findByHash(hash: string): Promise<StoredApiKey | undefined>
}

/** Failed logins, where several servers count them together. Times are milliseconds since 1970. */
export interface LoginFailures {
  /** Of each subject those after `since`, the oldest first. */
  timesOf(subjects: readonly string[], since: number): Promise<readonly (readonly number[])[]>
  /** One of each of the subjects; those up to `since` are forgotten. */
  add(subjects: readonly string[], at: number, since: number): Promise<void>
  forget(subject: string): Promise<void>
}
