// Whoever follows the feed of changes over a drawn history holds what a list has. Contract 2 §4, 3 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { canonicalJson } from '../../../../src/kernel/text.ts'
import { send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { anyBeginning, anyStep, DrawnHistory } from '../../../helpers/drawn-history.ts'
import { itLong } from '../../../helpers/long.ts'
import { type ScopedValueBody, startWorkspace, type ValuesBody, type Workspace } from '../../../helpers/shirts.ts'

interface Place {
  readonly categoryId: string
  readonly sortOrder: number
}

type Change =
  | { readonly field: 'categories'; readonly oldValue: readonly Place[]; readonly newValue: readonly Place[] | null }
  | (ScopedValueBody & { readonly attributeAlias: string; readonly oldValue: unknown; readonly newValue: unknown })

interface Entry {
  readonly entityId: string
  readonly action: string
  readonly version: number
  readonly changes: readonly Change[]
}

interface Listed {
  readonly id: string
  readonly lifecycleStateId: string
  readonly values: ValuesBody
  readonly version: number
  readonly categories: readonly Place[]
}

interface Held {
  state: unknown
  version: number
  /** By attribute and scope. */
  readonly values: Map<string, unknown>
  categories: readonly Place[]
}

const INCLUDED = 'include=categories,version'
const keyOf = (alias: string, scope: object): string => `${alias} ${canonicalJson(scope)}`
const inOrder = (places: readonly Place[]): Place[] =>
  places
    .map(({ categoryId, sortOrder }) => ({ categoryId, sortOrder }))
    .toSorted((one, other) => (one.categoryId < other.categoryId ? -1 : 1))

function heldOf({ lifecycleStateId, values, version, categories }: Listed): Held {
  const scoped = Object.entries(values).flatMap(([alias, items]) =>
    items.map(({ scope, value }) => [keyOf(alias, scope), value] as const),
  )
  return { state: lifecycleStateId, version, values: new Map(scoped), categories: inOrder(categories) }
}

async function readList(client: Client): Promise<Map<string, Held>> {
  const path = `/api/v1/records?schemaId=sch-drawn&limit=1000&${INCLUDED}`
  const { body } = await send<{ items: Listed[] }>(client, 'GET', path)
  return new Map(body.items.map((record) => [record.id, heldOf(record)]))
}

/** Reads the feed page by page, and keeps what it tells. */
abstract class Follower {
  readonly held = new Map<string, Held>()
  protected readonly client: Client
  #cursor = 'latest'

  constructor(client: Client) {
    this.client = client
  }

  /** @returns whether there was anything */
  async readPage(limit: number): Promise<boolean> {
    const path = `/api/v1/changes?after=${this.#cursor}&limit=${limit}`
    const { status, body, text } = await send<{ items: Entry[]; cursor: string }>(this.client, 'GET', path)
    assert.equal(status, 200, text)
    this.#cursor = body.cursor
    for (const entry of body.items) await this.take(entry)
    return body.items.length > 0
  }

  async readToEnd(limit: number): Promise<void> {
    while (await this.readPage(limit));
  }

  protected abstract take(entry: Entry): Promise<void>
}

/** Applies the changes of each entry, which begin at what it holds. */
class ByEntries extends Follower {
  protected async take({ entityId, action, version, changes }: Entry): Promise<void> {
    if (action === 'create') {
      assert.equal(this.held.has(entityId), false, 'what is created did not exist')
      this.held.set(entityId, { state: 'state-draft', version: 0, values: new Map(), categories: [] })
    }
    const record = this.held.get(entityId)
    assert.ok(record, `${action} of ${entityId}, which does not exist`)
    assert.ok(version > record.version, 'versions rise')
    record.version = version
    for (const change of changes)
      if (action === 'transition') [record.state] = replaced([record.state, 'state'], change)
      else if ('field' in change)
        [record.categories] = replaced([record.categories, 'categories'], {
          oldValue: inOrder(change.oldValue),
          newValue: inOrder(change.newValue ?? []),
        })
      else applyTo(record.values, keyOf(change.attributeAlias, change.scope), change)
    if (action === 'delete') {
      assert.deepEqual([...record.values], [], 'a deletion lists all values')
      this.held.delete(entityId)
    }
  }
}

type Replacement<Value> = { readonly oldValue: Value; readonly newValue: Value }

function replaced<Value>([held, what]: [Value, string], { oldValue, newValue }: Replacement<Value>): [Value] {
  assert.deepEqual(held, oldValue, `the old ${what}`)
  return [newValue]
}

function applyTo(values: Map<string, unknown>, key: string, change: Replacement<unknown>): void {
  const [value] = replaced([values.get(key) ?? null, key], change)
  if (value === null) values.delete(key)
  else values.set(key, value)
}

/** Reads each record again that an entry names: who may not read the trail is told no more. */
class ByNotes extends Follower {
  protected async take(note: Entry): Promise<void> {
    assert.deepEqual(Object.keys(note).toSorted(), ['action', 'entityId', 'timestamp'])
    const path = `/api/v1/records/${note.entityId}?${INCLUDED}`
    const { status, body, text } = await send<Listed>(this.client, 'GET', path)
    if (status === 200) this.held.set(note.entityId, heldOf(body))
    else {
      assert.equal(status, 404, text)
      this.held.delete(note.entityId)
    }
  }
}

let shop: Workspace
let history: DrawnHistory
/** Who sees all; who does not see some attributes; who does not see the trail, either. */
let clients: readonly [Client, Client, Client]
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  history = await DrawnHistory.begin(shop)
  const attributePermissions = { 'sch-drawn': { name: 'none', weight: 'none', friend: 'none' } }
  clients = [
    shop.admin,
    await shop.clientWith(['records.read', 'audit.read'], { attributePermissions }),
    await shop.clientWith(['records.read'], { attributePermissions }),
  ]
})
after(() => shop.stop())

/** Writes at one time, and how much each follower reads meanwhile; 0: nothing. */
const anyMoment = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 2 }),
  limits: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 1, 2, 5))),
  isMeanwhile: fc.boolean(),
})

const property = fc.asyncProperty(
  anyBeginning,
  fc.array(anyMoment, { minLength: 5, maxLength: 12 }),
  async (beginning, moments) => {
    await history.clear()
    const followers = [new ByEntries(clients[0]), new ByEntries(clients[1]), new ByNotes(clients[2])]
    for (const follower of followers) await follower.readPage(1)
    for (const step of beginning) await history.perform(step)
    for (const { steps, limits, isMeanwhile } of moments) {
      const writing = Promise.all(steps.map((step) => history.perform(step)))
      if (!isMeanwhile) await writing
      await Promise.all([writing, ...followers.map((one, at) => limits[at]! > 0 && one.readPage(limits[at]!))])
    }
    for (const [at, follower] of followers.entries()) {
      await follower.readToEnd(at + 2)
      assert.deepEqual(follower.held, await readList(clients[at]!))
    }
  },
)

describe('GET /api/v1/changes tells its followers all that a list has', () => {
  it('over a few histories, whatever they may read', () => fc.assert(property, { numRuns: 6, endOnFailure: true }))
  itLong('over many histories', () => fc.assert(property, { numRuns: 150, endOnFailure: true }))
})
