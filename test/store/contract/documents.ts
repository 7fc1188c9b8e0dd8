// Resources of which a workspace has few, each kind by itself; users and keys are also found by name and hash.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredApiKey, StoredUser } from '../../../src/core/accounts/rules/account.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import type { Repository } from '../../../src/store/document-port.ts'
import type { Transaction } from '../../../src/store/port.ts'
import { type Backend, hasCode, openWithModel, says } from './backend.ts'
import { AT, jobOf } from './fixtures.ts'

interface Item {
  readonly id: string
}

type Name = {
  [Key in keyof Transaction]-?: Transaction[Key] extends Repository<infer _Item> ? Key : never
}[keyof Transaction]

const userOf = (id: string, username = id): StoredUser => ({
  id,
  username,
  name: 'Ann',
  roleId: 'role-admin',
  disabled: false,
  createdAt: AT,
  passwordHash: 'hash',
  tokenGeneration: 1,
})

const keyOf = (id: string, hash = id): StoredApiKey => ({
  id,
  name: id,
  roleId: 'role-admin',
  expiresAt: null,
  createdAt: AT,
  lastUsedAt: null,
  hash,
})

const schemaOf = (id: string) => ({
  id,
  name: id,
  workflowId: DEFAULT_WORKFLOW.id,
  attributes: [],
  combinations: null,
  createdAt: AT,
  updatedAt: AT,
})

/** Makes one of each kind. */
const KINDS: Record<Exclude<Name, 'modelChanges'>, (id: string, name: string) => Item> = {
  dimensions: (id, name) => ({ id, name, segments: [{ id: 'de', name: 'German' }] }),
  workflows: (id, name) => ({ ...DEFAULT_WORKFLOW, id, name }),
  schemas: (id, name) => ({ ...schemaOf(id), name }),
  roles: (id, name) => ({ ...BUILT_IN_ROLES[1]!, id, name }),
  catalogs: (id, name) => ({ id, name }),
  preferences: (id, name) => ({ id, values: { name } }),
  savedQueries: (id, name) => ({
    id,
    name,
    schemaId: null,
    createdBy: 'usr-1',
    criteria: [],
    criteriaOperator: 'and',
  }),
  exportJobs: (id, name) => jobOf(id, { name }),
  importProfiles: (id, name) => ({
    id,
    name,
    schemaId: 'sch-a',
    mode: 'create',
    matchBy: null,
    emptyCells: 'keep',
    columns: [],
  }),
  renditionPresets: (id, name) => ({ id, width: 1, fit: 'inside', format: 'webp', focus: name }),
  publicAddresses: (id, name) => ({ id, salt: name, rotatedAt: AT }),
  noticeSettings: (id, name) => ({ id, off: name.length > 3 ? ['mention'] : [] }),
  messengers: (id, name) => ({
    id,
    type: name,
    config: {},
    secrets: {},
    updatedAt: AT,
    lastSentAt: null,
    lastFailure: null,
  }),
  sheetTemplates: (id, name) => ({
    id,
    name,
    schemaId: 'sch-a',
    heading: '',
    footer: '',
    sections: [{ heading: '', attributeAliases: ['constructor'] }],
    pictures: [],
    preset: 'web',
    pictureSize: 'medium',
    paper: 'A4',
    language: null,
    scope: {},
    createdAt: AT,
    updatedAt: AT,
  }),
  sheetLinks: (id, name) => ({
    id,
    hash: 'ab',
    purpose: 'share',
    name,
    recordIds: ['ent-1'],
    templateId: null,
    language: 'de',
    scope: null,
    ownerId: 'usr-1',
    ownerKind: 'user',
    createdAt: AT,
    expiresAt: AT,
    visits: 0,
    lastVisitAt: null,
  }),
  erasures: (id, name) => ({ id, recordId: name, sequence: 1, requestedAt: AT, left: ['trail'] }),
  users: (id, name) => ({ ...userOf(id), name }),
  apiKeys: (id, name) => ({ ...keyOf(id), name }),
}

function describePages(backend: Backend): void {
  describe(`${backend.name}: pages of documents`, () => {
    it('have a hundred kilobytes: many small ones, or a single large one', async (test) => {
      const { store } = await backend.open(test)
      const lengths = [10, 10, 100_000, 100_000, 200_000, 10, 10]
      await store.transaction(async (tx) => {
        for (const [index, length] of lengths.entries())
          await tx.exportJobs.insert(jobOf(`job-${index}`, { description: 'x'.repeat(length) }))
      })
      const pages = await Array.fromAsync(store.read.exportJobs.pages())
      assert.deepEqual(
        pages.map((page) => page.map(({ description }) => description.length)),
        [[10, 10, 100_000], [100_000], [200_000], [10, 10]],
      )
    })
  })
}

export function describeDocuments(backend: Backend): void {
  describePages(backend)
  for (const [kind, make] of Object.entries(KINDS)) {
    describe(`${backend.name}: ${kind}`, () => {
      it('are listed in the order of creation, read by ID, replaced and deleted', async (test) => {
        const { store, reopen } = await backend.open(test)
        const name = kind as keyof typeof KINDS
        const of = (tx: Transaction) => tx[name] as unknown as Repository<Item>
        const ids = ['b', 'constructor', 'a']
        await store.transaction(async (tx) => {
          for (const id of ids) await of(tx).insert(make(id, 'Old'))
          assert.deepEqual(await of(tx).list(), [make('b', 'Old'), make('constructor', 'Old'), make('a', 'Old')])
          assert.deepEqual((await Array.fromAsync(of(tx).pages())).flat(), await of(tx).list())
        })
        assert.deepEqual(await store.read[name].get('a'), make('a', 'Old'))
        assert.equal(await store.read[name].get('none'), undefined)
        await assert.rejects(
          store.transaction((tx) => of(tx).insert(make('a', 'Twice'))),
          hasCode('CONFLICT'),
        )
        await store.transaction(async (tx) => {
          await of(tx).update(make('b', 'Straße "\u0000" 😀'))
          await of(tx).delete('constructor')
          await of(tx).delete('none')
        })
        const again = await reopen()
        assert.deepEqual(await again.read[name].list(), [make('b', 'Straße "\u0000" 😀'), make('a', 'Old')])
      })
    })
  }

  describe(`${backend.name}: accounts`, () => {
    it('users are found by their name, which is unique', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction((tx) => tx.users.insert(userOf('usr-1', 'ann')))
      assert.equal((await store.read.users.findByUsername('ann'))?.id, 'usr-1')
      assert.equal(await store.read.users.findByUsername('Ann'), undefined)
      const second = store.transaction((tx) => tx.users.insert(userOf('usr-2', 'ann')))
      await assert.rejects(second, hasCode('CONFLICT'))
      await store.transaction(async (tx) => {
        await tx.users.update(userOf('usr-1', 'anna'))
        await tx.users.insert(userOf('usr-2', 'ann'))
      })
      assert.equal((await store.read.users.findByUsername('ann'))?.id, 'usr-2')
      const renamed = store.transaction((tx) => tx.users.update(userOf('usr-2', 'anna')))
      await assert.rejects(renamed, hasCode('CONFLICT'))
    })

    it('API keys are found by their hash, which is unique', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction((tx) => tx.apiKeys.insert(keyOf('key-1', 'abc')))
      assert.equal((await store.read.apiKeys.findByHash('abc'))?.id, 'key-1')
      assert.equal(await store.read.apiKeys.findByHash('ab'), undefined)
      const second = store.transaction((tx) => tx.apiKeys.insert(keyOf('key-2', 'abc')))
      await assert.rejects(second, says('CONFLICT', /API key/))
      await store.transaction((tx) => tx.apiKeys.delete('key-1'))
      assert.equal(await store.read.apiKeys.findByHash('abc'), undefined)
    })
  })
}
