// How PostgreSQL goes about what searches ask of it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Connection } from '../../src/postgres/connection.ts'
import type { PostgresLocation } from '../../src/postgres/location.ts'
import { numbered, printKeys } from '../../src/postgres/search/print-set.ts'
import type { KeyRange } from '../../src/core/search/plan/sets.ts'
import { openWithModel } from '../store/contract/backend.ts'
import { postgresBackend } from './backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

/** With these, whatever may have processes of its own gets them. */
const settings = {
  parallel_setup_cost: 0,
  parallel_tuple_cost: 0,
  min_parallel_table_scan_size: 0,
  min_parallel_index_scan_size: 0,
}
/** As there are, in a large workspace, of all attributes together: times, beside them prices and stock. */
const FILL = `INSERT INTO value_num SELECT attribute, 1, CASE attribute WHEN 1 THEN n % 1000 ELSE 1.7e12 + n END, n
    FROM generate_series(1, 20000) AS n, generate_series(1, 4) AS attribute;
  INSERT INTO value_text SELECT 1, 1, 'key ' || n % 1000, n FROM generate_series(1, 20000) AS n;
  ANALYZE value_num, value_text`

const RANGES: Readonly<Record<'numbers' | 'texts' | 'key', KeyRange>> = {
  numbers: { kind: 'range', from: 990, to: Infinity, isFromIncluded: false, isToIncluded: true },
  texts: { kind: 'prefix', text: 'key' },
  key: { kind: 'point', key: 'key 7' },
}

/** The plan of the first page of the records that hold such keys. */
async function openPlans(test: TestContext): Promise<(range: KeyRange) => Promise<string>> {
  const { store } = await openWithModel(postgresBackend, test, () => Promise.resolve())
  const { url } = store.location as PostgresLocation
  const database = await Connection.open({ url, settings })
  test.after(() => database.close())
  await database.script(FILL)
  return async (range) => {
    const places = [{ attribute: 1, scopes: [1] }]
    const { sql, parameters } = printKeys({ kind: 'keys', places, range, isMany: false, isExact: true })
    const asked = `EXPLAIN SELECT record FROM (${sql}) AS found WHERE record > 0 ORDER BY record LIMIT 50`
    const lines = await database.planned<Record<string, string>>(numbered(asked), parameters)
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  }
}

describe('PostgreSQL: the plan', { skip: withoutPostgres() }, () => {
  it('of a range of numbers starts no processes, however large the planner takes it for', async (test) => {
    const planOf = await openPlans(test)
    assert.match(await planOf(RANGES.texts), /Workers Planned/)
    const plan = await planOf(RANGES.numbers)
    assert.doesNotMatch(plan, /Workers Planned/)
    assert.match(plan, /rows=1\d{4}/, 'it is taken for many times larger than 180 records')
  })

  it('of a page of the records of one key in one scope reads no others', async (test) => {
    const planOf = await openPlans(test)
    assert.match(await planOf(RANGES.texts), /Sort/)
    assert.doesNotMatch(await planOf(RANGES.key), /Sort/)
  })
})
