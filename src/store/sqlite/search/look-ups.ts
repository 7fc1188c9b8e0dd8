// What is asked of records besides themselves, looked up for some of them at once.
import type { LookUp } from '../../../core/search/plan/ask.ts'
import type { Numbers } from '../../../core/search/plan/record-numbers.ts'
import type { StatementCache } from '../statements.ts'
import { listOf } from './number-lists.ts'

export function lookUp(what: LookUp, records: Numbers, sql: StatementCache): ReadonlyMap<number, unknown> {
  switch (what) {
    case 'assignments':
      return readAssignments(records, sql)
    case 'variantCounts':
      return countVariants(records, sql)
    case 'categoryIds':
      return grouped(sql.tuples<readonly [number, string]>(CATEGORIES_OF, [listOf(records)]))
  }
}

function readAssignments(records: Numbers, sql: StatementCache): Map<number, string[]> {
  const rows = sql.tuples<readonly [n: number, entityId: string, categoryId: string, sortOrder: number]>(
    `SELECT record.n, record.id, assignment.category_id, assignment.sort_order
       FROM json_each(?) AS wanted
       CROSS JOIN main.record ON record.n = wanted.value
       JOIN main.assignment ON assignment.record_n = record.n
       JOIN main.category ON category.id = assignment.category_id
       JOIN main.catalog ON catalog.id = category.catalog_id
      ORDER BY record.n, catalog.n, category.n`,
    [listOf(records)],
  )
  return grouped(
    rows.map(([n, entityId, categoryId, sortOrder]) => [n, JSON.stringify({ entityId, categoryId, sortOrder })]),
  )
}

function countVariants(records: Numbers, sql: StatementCache): Map<number, number> {
  return new Map(
    sql.tuples<[number, number]>(
      `SELECT record.n, (SELECT count(*) FROM main.record AS variant WHERE variant.parent_id = record.id)
         FROM json_each(?) AS wanted CROSS JOIN main.record ON record.n = wanted.value`,
      [listOf(records)],
    ),
  )
}

const CATEGORIES_OF = `SELECT DISTINCT record.n, category.id
       FROM json_each(?) AS wanted
       CROSS JOIN main.record ON record.n = wanted.value
       JOIN main.assignment ON assignment.record_n IN
         (record.n, (SELECT parent.n FROM main.record AS parent WHERE parent.id = record.parent_id))
       JOIN main.category ON category.id = assignment.category_id
       JOIN main.catalog ON catalog.id = category.catalog_id
      ORDER BY record.n, catalog.n, category.n`

function grouped(rows: readonly (readonly [number, string])[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const [n, one] of rows) {
    const ofRecord = found.get(n) ?? []
    ofRecord.push(one)
    found.set(n, ofRecord)
  }
  return found
}
