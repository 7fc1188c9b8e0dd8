// Changes users and API keys of a workspace in its database. This is one more writer: servers notice the changes at
// their next request.
import type { StoredApiKey, StoredUser } from '../../core/accounts/rules/account.ts'
import type { AccountEntry } from '../../core/feed/rules/account-entry.ts'
import type { Accounts, ChangedUser } from '../../store/maintenance-port.ts'
import { CommitLoop } from '../commit-loop.ts'
import { Committed } from '../committed.ts'
import { ModelCache } from '../committed-model.ts'
import { Connections } from '../connections.ts'
import { createRepositories } from '../repositories.ts'
import { FlushIndex } from '../search-index/flush-index.ts'
import { assertCurrent } from './inspection.ts'

export class DatabaseAccounts implements Accounts {
  readonly #connections: Connections
  readonly #loop: CommitLoop
  readonly #read: ReturnType<typeof createRepositories>

  private constructor(connections: Connections) {
    const models = new ModelCache()
    this.#connections = connections
    this.#read = createRepositories(new Committed(connections, models), '')
    const { availability } = connections
    this.#loop = new CommitLoop({ connect: () => connections.writer(), models, index: new FlushIndex(), availability })
  }

  /** @throws DatabaseUnusable, UNAVAILABLE */
  static async open(url: string): Promise<DatabaseAccounts> {
    const connections = new Connections({ url, shared: 1 })
    try {
      await assertCurrent(await connections.shared())
      return new DatabaseAccounts(connections)
    } catch (error) {
      await connections.close()
      throw error
    }
  }

  findUser(username: string): Promise<StoredUser | undefined> {
    return this.#read.users.findByUsername(username)
  }

  async usernames(): Promise<string[]> {
    return (await this.#read.users.list()).map(({ username }) => username)
  }

  async roleIds(): Promise<string[]> {
    return (await this.#read.roles.list()).map(({ id }) => id)
  }

  addKey(key: StoredApiKey, entry: AccountEntry): Promise<boolean> {
    return this.#loop.queue.submit(async (run) => {
      const { roles, apiKeys, feed } = createRepositories(run, '')
      if ((await roles.get(key.roleId)) === undefined) return false
      await apiKeys.insert(key)
      feed.append({ kind: 'account', timestamp: entry.timestamp, entry })
      return true
    })
  }

  changeUser(id: string, change: (user: StoredUser) => ChangedUser): Promise<boolean> {
    return this.#loop.queue.submit(async (run) => {
      const { users, feed } = createRepositories(run, '')
      const before = await users.get(id)
      if (before === undefined) return false
      const { user, entry } = change(before)
      await users.update(user)
      feed.append({ kind: 'account', timestamp: entry.timestamp, entry })
      return true
    })
  }

  async close(): Promise<void> {
    await this.#loop.close()
    await this.#connections.close()
  }
}
