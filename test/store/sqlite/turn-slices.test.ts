// What reader threads bring is taken a few milliseconds at a time, so that others are served in between.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import { TurnSlices } from '../../../src/kernel/turn-slices.ts'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import { attribute } from '../../helpers/domain-model.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { Turns, work } from '../../helpers/turns.ts'
import { insertRecord, recordOf } from '../contract/fixtures.ts'

/** Pieces of work of so many milliseconds fill a slice of five. */
const PIECE = 2
const MOST_PIECES = 3

describe('Work in slices', () => {
  it('gives way after some milliseconds, and is done in the order in which it came', async () => {
    const slices = new TurnSlices()
    const turns = new Turns()
    const done: number[] = []
    for (let n = 0; n < 20; n += 1)
      slices.add(() => {
        turns.count()
        done.push(n)
        work(PIECE)
      })
    await turns.follow(() => done.length === 20)
    assert.deepEqual(
      done,
      Array.from({ length: 20 }, (_, n) => n),
    )
    assert.ok(turns.most <= MOST_PIECES, `${turns.most} pieces in one turn`)
  })

  it('that is short is done in one turn', async () => {
    const slices = new TurnSlices()
    let done = 0
    for (let n = 0; n < 20; n += 1) slices.add(() => void (done += 1))
    await nextTurn()
    assert.equal(done, 20)
  })

  it('is over with all that it goes on with before the next piece begins', async () => {
    const slices = new TurnSlices()
    const steps: string[] = []
    const goOn = async (name: string): Promise<void> => {
      for (let step = 0; step < 10; step += 1) await Promise.resolve()
      await new Promise<void>((resolve) => process.nextTick(resolve))
      steps.push(`${name} ends`)
    }
    for (const name of ['one', 'other'])
      slices.add(() => {
        steps.push(name)
        void goOn(name)
      })
    await nextTurn()
    assert.deepEqual(steps, ['one', 'one ends', 'other', 'other ends'])
  })
})

/** Records of which a search gives a few in one go. */
async function openStoreOf(records: number, characters: number): Promise<SqliteStore> {
  const store = await openSqliteStore({
    file: path.join(makeTempDirectory(), 'pimlet.db'),
    onFault: (message, error) => assert.fail(`${message}: ${String(error)}`),
  })
  const valuesJson = JSON.stringify({ text: [{ scope: {}, value: 'x'.repeat(characters) }] })
  const schema = { name: 'S', workflowId: DEFAULT_WORKFLOW.id, combinations: null, createdAt: '', updatedAt: '' }
  await store.transaction(async (tx) => {
    await tx.workflows.insert(DEFAULT_WORKFLOW)
    await tx.schemas.insert({ ...schema, id: 'sch-1', attributes: [attribute('text')] })
    for (let n = 0; n < records; n += 1) await insertRecord(tx, recordOf(`ent-${n}`, { schemaId: 'sch-1', valuesJson }))
  })
  return store
}

const criteria = {
  criteria: [{ attributeAlias: 'text', operator: 'isNotEmpty' } as const],
  criteriaOperator: 'and' as const,
}
const EVERYTHING = {
  find: { kind: 'criteria', criteria },
  role: BUILT_IN_ROLES[0]!,
  offset: 0,
  limit: null,
} as const

describe('Searches', () => {
  it('whose results are taken at once leave others their turns', async () => {
    const store = await openStoreOf(60, 100_000)
    await store.whenIndexed()
    const turns = new Turns()
    let batchesSeen = 0
    const searchOne = async (): Promise<void> => {
      const { batches } = await store.read.search(EVERYTHING, AbortSignal.timeout(60_000))
      for await (const _ of batches) {
        turns.count()
        batchesSeen += 1
        work(PIECE)
      }
    }
    let isOver = false
    const searching = Promise.all(Array.from({ length: 8 }, searchOne)).finally(() => (isOver = true))
    await Promise.all([searching, turns.follow(() => isOver)])
    await store.close()
    assert.ok(batchesSeen > 60, `${batchesSeen} batches`)
    // The end of one slice, and the begin of the next.
    assert.ok(turns.most <= 2 * MOST_PIECES, `${turns.most} batches in one turn`)
  })

  it('beyond those of the whole server are refused, and take no share of their caller', async () => {
    const store = await openStoreOf(30, 100_000)
    await store.whenIndexed()
    const begin = async (callerId: string): Promise<AbortController> => {
      const ending = new AbortController()
      await store.read.search({ ...EVERYTHING, callerId }, ending.signal)
      return ending
    }
    const callers = ['a', 'b', 'c', 'd'].flatMap((caller) => Array.from({ length: 50 }, () => caller))
    const held = await Promise.all(callers.map(begin))
    for (let n = 0; n < 60; n += 1)
      await assert.rejects(begin('late'), { code: 'UNAVAILABLE', retryAfter: 1, message: /the server runs 200/ })
    held.pop()!.abort()
    held.push(await begin('late'))
    for (const ending of held) ending.abort()
    await store.close()
  })
})
