// Users and API keys, which are also found by user name and by the key's hash.
import type { StoredApiKey, StoredUser } from '../../core/accounts/rules/account.ts'
import type { Repository } from '../document-port.ts'
import type { ApiKeyReads, UserReads } from '../account-port.ts'
import type { Connection } from './connection.ts'
import { Documents } from './documents.ts'

export class Users extends Documents<StoredUser> implements UserReads, Repository<StoredUser> {
  constructor(db: Connection) {
    super(db, { name: 'user', resource: 'User', columns: { username: (user) => user.username } })
  }

  findByUsername(username: string): Promise<StoredUser | undefined> {
    return this.findBy('username', username)
  }
}

export class ApiKeys extends Documents<StoredApiKey> implements ApiKeyReads, Repository<StoredApiKey> {
  constructor(db: Connection) {
    super(db, { name: 'api_key', resource: 'API key', columns: { hash: (key) => key.hash } })
  }

  findByHash(hash: string): Promise<StoredApiKey | undefined> {
    return this.findBy('hash', hash)
  }
}
