// What is asked of records besides themselves, looked up for some of them at once.
import type { LookUp } from '../../core/search/plan/ask.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import type { AskSql } from './walk.ts'

export async function lookUp(what: LookUp, records: Numbers, ask: AskSql): Promise<ReadonlyMap<number, unknown>> {
  const parameters = [[...records]]
  if (what === 'variantCounts') {
    const rows = await ask<{ n: number; variants: number }>({ sql: VARIANTS, parameters })
    return new Map(rows.map(({ n, variants }) => [n, variants]))
  }
  if (what === 'categoryIds')
    return grouped((await ask<Placed>({ sql: CATEGORIES, parameters })).map(({ n, categoryId }) => [n, categoryId]))
  const rows = await ask<Placed & { entityId: string; sortOrder: number }>({ sql: ASSIGNMENTS, parameters })
  return grouped(
    rows.map(({ n, entityId, categoryId, sortOrder }) => [n, JSON.stringify({ entityId, categoryId, sortOrder })]),
  )
}

interface Placed {
  readonly n: number
  readonly categoryId: string
}

const VARIANTS = `SELECT record.n, (SELECT count(*) FROM record AS variant WHERE variant.parent_id = record.id) AS variants
  FROM record WHERE record.n = ANY (?::bigint[])`

const ASSIGNMENTS = `SELECT record.n, record.id AS "entityId", assignment.category_id AS "categoryId", assignment.sort_order AS "sortOrder"
  FROM record JOIN assignment ON assignment.record_n = record.n
  JOIN category ON category.id = assignment.category_id JOIN catalog ON catalog.id = category.catalog_id
 WHERE record.n = ANY (?::bigint[]) ORDER BY record.n, catalog.n, category.n`

/** Its own, and those of the record that it is a variant of: each once. */
const CATEGORIES = `SELECT DISTINCT record.n, category.id AS "categoryId", catalog.n AS catalog_n, category.n AS category_n
  FROM record LEFT JOIN record AS parent ON parent.id = record.parent_id
  JOIN assignment ON assignment.record_n IN (record.n, parent.n)
  JOIN category ON category.id = assignment.category_id JOIN catalog ON catalog.id = category.catalog_id
 WHERE record.n = ANY (?::bigint[]) ORDER BY record.n, catalog.n, category.n`

function grouped(rows: readonly (readonly [number, string])[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const [n, one] of rows) {
    const ofRecord = found.get(n) ?? []
    ofRecord.push(one)
    found.set(n, ofRecord)
  }
  return found
}
