// One user changed in a workspace that nobody serves.
import type { StoredUser } from '../../../domain/accounts.ts'
import { Users } from '../accounts.ts'
import { type Connection, openWriter } from '../connection.ts'
import { assertNobodyElse } from '../data-directory-lock.ts'
import { assertFit } from '../fitness.ts'
import { assertCurrent } from '../migrate.ts'
import { indexFileOf } from '../search-index/follower.ts'

export class UserFile {
  readonly #db: Connection
  readonly #users: Users

  /** With the directory's lock held. @throws DatabaseVersionError, DatabaseUnfit, DataDirectoryLocked */
  constructor(databaseFile: string) {
    assertFit(databaseFile, indexFileOf(databaseFile))
    assertNobodyElse(databaseFile)
    this.#db = openWriter(databaseFile, { durable: true })
    try {
      assertCurrent(this.#db)
      this.#users = new Users(this.#db)
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  find(username: string): Promise<StoredUser | undefined> {
    return this.#users.findByUsername(username)
  }

  /** In the order of creation. */
  async usernames(): Promise<string[]> {
    return (await this.#users.list()).map(({ username }) => username)
  }

  /** Durable when it resolves. */
  update(user: StoredUser): Promise<void> {
    return this.#users.update(user)
  }

  close(): void {
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
    this.#db.close()
  }
}
