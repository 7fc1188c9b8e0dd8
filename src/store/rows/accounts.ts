// Users and API keys, which are also found by user name and by the key's hash.
import type { StoredApiKey, StoredUser } from '../../core/accounts/rules/account.ts'
import type { Repository } from '../document-port.ts'
import type { ApiKeyReads, UserReads } from '../account-port.ts'
import type { SqlSession } from './session.ts'
import { Documents } from './documents.ts'

export class Users extends Documents<StoredUser> implements UserReads, Repository<StoredUser> {
  constructor(session: SqlSession) {
    const column = { name: 'username', valueOf: (user: StoredUser) => user.username }
    super(session, { name: 'account', resource: 'User', column, counter: 'credentials' })
  }

  findByUsername(username: string): Promise<StoredUser | undefined> {
    return this.findBy(username)
  }
}

export class ApiKeys extends Documents<StoredApiKey> implements ApiKeyReads, Repository<StoredApiKey> {
  constructor(session: SqlSession) {
    const column = { name: 'hash', valueOf: (key: StoredApiKey) => key.hash }
    super(session, { name: 'api_key', resource: 'API key', column, counter: 'credentials' })
  }

  findByHash(hash: string): Promise<StoredApiKey | undefined> {
    return this.findBy(hash)
  }
}
