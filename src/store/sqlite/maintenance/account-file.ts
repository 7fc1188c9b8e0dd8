// Users and API keys of a workspace without a running server.
import type { StoredApiKey, StoredUser } from '../../../core/accounts/rules/account.ts'
import type { AccountEntry } from '../../../core/feed/rules/account-entry.ts'
import type { Accounts, ChangedUser } from '../../maintenance-port.ts'
import { ApiKeys, Users } from '../../rows/documents.ts'
import type { FeedWrites } from '../../feed-port.ts'
import { createFeed } from '../audit.ts'
import { type Connection, openWriter } from '../connection.ts'
import { assertNobodyElse } from '../data-directory-lock.ts'
import { assertIntact } from '../integrity.ts'
import { assertCurrent } from '../migrate.ts'
import { ModelTables } from '../stored-model.ts'
import { SqliteSession } from '../session.ts'
import { indexFileOf } from '../search-index/follower.ts'
import { WriterNumbers } from '../writer-numbers.ts'

export class AccountFile implements Accounts {
  readonly #db: Connection
  readonly #users: Users
  readonly #keys: ApiKeys
  readonly #model: ModelTables
  readonly #feed: FeedWrites

  /** The caller must hold the directory's lock. @throws DatabaseVersionError, DatabaseDamaged, DataDirectoryLocked */
  constructor(databaseFile: string) {
    assertIntact(databaseFile, indexFileOf(databaseFile))
    assertNobodyElse(databaseFile)
    this.#db = openWriter(databaseFile, { durable: true })
    try {
      assertCurrent(this.#db)
      const session = new SqliteSession(this.#db)
      this.#users = new Users(session)
      this.#keys = new ApiKeys(session)
      this.#model = new ModelTables(this.#db)
      const numbers = new WriterNumbers(this.#db)
      this.#feed = createFeed(this.#db, session, numbers.newVersion).feed
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  findUser(username: string): Promise<StoredUser | undefined> {
    return this.#users.findByUsername(username)
  }

  /** In the order of creation. */
  async usernames(): Promise<string[]> {
    return (await this.#users.list()).map(({ username }) => username)
  }

  /** In the order of creation. */
  async roleIds(): Promise<string[]> {
    return (await this.#model.roles.list()).map(({ id }) => id)
  }

  async addKey(key: StoredApiKey, entry: AccountEntry): Promise<boolean> {
    if (!(await this.roleIds()).includes(key.roleId)) return false
    await this.#write(() => this.#keys.insert(key), entry)
    return true
  }

  async changeUser(id: string, change: (user: StoredUser) => ChangedUser): Promise<boolean> {
    const before = await this.#users.get(id)
    if (before === undefined) return false
    const { user, entry } = change(before)
    await this.#write(() => this.#users.update(user), entry)
    return true
  }

  /** Writes the change and its entry, or neither: `close` undoes a failed write. */
  async #write(change: () => Promise<void>, entry: AccountEntry): Promise<void> {
    this.#db.exec('BEGIN IMMEDIATE')
    await change()
    this.#feed.append({ kind: 'account', timestamp: entry.timestamp, entry })
    this.#db.exec('COMMIT')
  }

  close(): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
    this.#db.close()
  }
}
