// Text is found by its rare trigrams where it has some: the answer is the same, in less time.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import { type Connection, openReader } from '../../../src/store/sqlite/connection.ts'
import { type CountTrigrams, rareTrigrams, trigramsOf } from '../../../src/core/search/plan/rare-trigrams.ts'
import type { TextSet } from '../../../src/core/search/plan/sets.ts'
import { printLeaf } from '../../../src/store/sqlite/search/print-set.ts'
import { trigramCounts } from '../../../src/store/sqlite/search-index/trigram-counts.ts'
import { StatementCache } from '../../../src/store/sqlite/statements.ts'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import { attribute } from '../../helpers/domain-model.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { insertRecord, recordOf } from '../contract/fixtures.ts'

const RECORDS = 1300
const role = BUILT_IN_ROLES[0]!

/** Records with any text that contains all of these. */
function setOf(...texts: readonly [string, ...string[]]): TextSet {
  const [first, ...others] = texts.map((text) => ({ text, of: undefined }))
  return { kind: 'text', needles: [first!, ...others], isExact: true }
}

function textOf(n: number): string {
  if (n === 700) return 'The engine room of the brwxyzk'
  // Every trigram of a word that is nowhere in one piece.
  if (n === 701) return 'The engine room: brw rwx wxy xyz yzk'
  return `The engine room of car ${n}`
}

describe('A search for text', () => {
  let store: SqliteStore
  let db: Connection
  let sql: StatementCache
  let count: CountTrigrams

  before(async () => {
    const file = path.join(makeTempDirectory(), 'pimlet.db')
    store = await openSqliteStore({ file, onFault: (message, error) => assert.fail(`${message}: ${String(error)}`) })
    await store.transaction(async (tx) => {
      await tx.workflows.insert(DEFAULT_WORKFLOW)
      const schema = { name: 'A', workflowId: DEFAULT_WORKFLOW.id, combinations: null, createdAt: '', updatedAt: '' }
      await tx.schemas.insert({ ...schema, id: 'sch-a', attributes: [attribute('name')] })
      for (let n = 1; n <= RECORDS; n += 1) {
        const valuesJson = JSON.stringify({ name: [{ scope: {}, value: textOf(n) }] })
        await insertRecord(tx, recordOf(`ent-${n}`, { valuesJson }))
      }
    })
    await store.whenIndexed()
    db = openReader(file)
    db.prepare('ATTACH ? AS idx').run(path.join(path.dirname(file), 'search-index.db'))
    sql = new StatementCache(db)
    count = trigramCounts(sql)
  })
  after(async () => {
    db.close()
    await store.close()
  })

  async function find(text: string): Promise<string[]> {
    const query = { find: { kind: 'text', text }, role, schemaId: undefined, limit: null, offset: 0 } as const
    const { batches } = await store.read.search(query, new AbortController().signal)
    return (await Array.fromAsync(batches)).flat().map(({ id }) => id)
  }

  it('knows from a sample how frequent each trigram is', () => {
    const counts = count(['eng', 'brw', 'car'])
    assert.deepEqual(counts.get('eng'), Math.floor(RECORDS / 64))
    assert.equal(counts.get('brw'), undefined)
  })

  it('asks for rare trigrams where the text has some, for all of it where every trigram is frequent', () => {
    assert.deepEqual(rareTrigrams(['engine brwxyzk'], count)?.length, 3)
    for (const trigram of rareTrigrams(['engine brwxyzk'], count)!) assert.equal(count([trigram]).size, 0)
    assert.equal(rareTrigrams(['engine room'], count), undefined)
    assert.match(String(printLeaf(setOf('engine room'), count).parameters[0]), /^"engine room"$/)
    assert.match(String(printLeaf(setOf('brwxyzk'), count).parameters[0]), /^"brw" AND "rwx" AND "wxy"$/)
  })

  it('asks for all of a text whose trigrams are all needed', () => {
    assert.equal(rareTrigrams(['brwxy'], count), undefined)
    assert.deepEqual(trigramsOf('aaaa'), ['aaa'])
    assert.equal(rareTrigrams(['aaaaaaaaa'], count), undefined)
  })

  it('asks once for two texts, by the rarest trigrams of both', () => {
    const { parameters } = printLeaf(setOf('engine room', 'brwxyzk'), count)
    assert.match(String(parameters[0]), /^"brw" AND "rwx" AND "wxy"$/)
    const both = printLeaf(setOf('engine room', 'room of car'), count)
    assert.match(String(both.parameters[0]), /^"engine room" AND "room of car"$/)
  })

  it('finds what contains the text in one piece, on either road', async () => {
    assert.deepEqual(await find('brwxyzk'), ['ent-700'])
    assert.deepEqual(await find('the BRWXYZK'), ['ent-700'])
    assert.deepEqual(await find('of car 129'), ['ent-129', ...Array.from({ length: 10 }, (_, n) => `ent-${1290 + n}`)])
    assert.equal((await find('engine room')).length, RECORDS)
    assert.deepEqual(await find('room: brw'), ['ent-701'])
    assert.deepEqual(await find('brwxyzkx'), [])
  })

  it('takes what FTS5 would take for an operator or a quote for text', async () => {
    for (const text of ['brw" OR "rwx', '"brwxyzk"', 'brwxyzk AND engine', 'brwxyz*k'])
      assert.deepEqual(await find(text), [])
  })

  it('each road alone gives the same answer', () => {
    const none: CountTrigrams = () => new Map()
    const equal: CountTrigrams = (trigrams) => new Map(trigrams.map((trigram) => [trigram, 1]))
    for (const text of ['brwxyzk', 'engine room', 'car 700', 'of car 77', 'xyz yzk', 'gine room of']) {
      const [rare, whole] = [none, equal].map((counts) => printLeaf(setOf(text), counts))
      if (trigramsOf(text).length > 3) assert.notEqual(rare!.sql, whole!.sql)
      const [found, expected] = [rare, whole].map((set) => sql.all(`${set!.sql} ORDER BY 1`, set!.parameters))
      assert.deepEqual(found, expected)
    }
  })
})
