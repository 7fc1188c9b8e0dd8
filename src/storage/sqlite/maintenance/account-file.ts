// Users and API keys of a workspace that nobody serves.
import type { StoredApiKey, StoredUser } from '../../../domain/accounts/accounts.ts'
import type { Accounts } from '../../maintenance-port.ts'
import { ApiKeys, Users } from '../accounts.ts'
import { type Connection, openWriter } from '../connection.ts'
import { assertNobodyElse } from '../data-directory-lock.ts'
import { assertIntact } from '../integrity.ts'
import { assertCurrent } from '../migrate.ts'
import { ModelTables } from '../model.ts'
import { indexFileOf } from '../search-index/follower.ts'

export class AccountFile implements Accounts {
  readonly #db: Connection
  readonly #users: Users
  readonly #keys: ApiKeys
  readonly #model: ModelTables

  /** With the directory's lock held. @throws DatabaseVersionError, DatabaseDamaged, DataDirectoryLocked */
  constructor(databaseFile: string) {
    assertIntact(databaseFile, indexFileOf(databaseFile))
    assertNobodyElse(databaseFile)
    this.#db = openWriter(databaseFile, { durable: true })
    try {
      assertCurrent(this.#db)
      this.#users = new Users(this.#db)
      this.#keys = new ApiKeys(this.#db)
      this.#model = new ModelTables(this.#db)
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

  async addKey(key: StoredApiKey): Promise<boolean> {
    if (!(await this.roleIds()).includes(key.roleId)) return false
    await this.#keys.insert(key)
    return true
  }

  async changeUser(id: string, change: (user: StoredUser) => StoredUser): Promise<boolean> {
    const user = await this.#users.get(id)
    if (user === undefined) return false
    await this.#users.update(change(user))
    return true
  }

  close(): void {
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
    this.#db.close()
  }
}
