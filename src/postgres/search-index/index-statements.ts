// Builds the statements that bring the index rows of records up to date: one statement over arrays for each table.
import type { Model } from '../../core/model/rules/model.ts'
import { searchedRecord } from '../../store/reading/searched-row.ts'
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import { type Cell, readCells, writeCells } from '../../core/search/plan/cells.ts'
import { entryOf } from '../../core/search/plan/index-entry.ts'
import type { IndexEntry } from '../../core/search/plan/index-rows.ts'
import { isTextIndexed, markText } from '../../core/search/plan/index-text.ts'
import type { IndexKey } from '../../core/search/plan/sets.ts'
import type { Statement } from '../layer.ts'
import { NO_CATEGORIES } from '../search/category-sets.ts'
import type { IndexNumbers, WantedPlace } from './index-numbers.ts'
import { writeKey } from './stored-keys.ts'
import { sampledTrigrams } from './trigram-counts.ts'

/** A record to index. */
export interface IndexTask {
  readonly n: number
  readonly schemaId: string
  /** Undefined: the record was deleted. */
  readonly entry: IndexEntry | undefined
  /** The cells in the index; null: none. */
  readonly known: string | null
}

/** @param row undefined: the record was deleted @param known the record's cells in the index; null: none */
export function taskOf(
  n: number,
  row: ReadRecord | undefined,
  known: string | null,
  model: Model,
  categories = NO_CATEGORIES,
): IndexTask {
  const schema = row && model.schemas.get(row.schemaId)
  if (row === undefined || schema === undefined) return { n, schemaId: '', entry: undefined, known }
  const record = searchedRecord(row, schema, () => row.categoryIds ?? [])
  return { n, schemaId: schema.id, entry: entryOf(record, model, categories), known }
}

/** Returns the places whose numbers must be known. */
export function placesOf({ schemaId, entry }: IndexTask): WantedPlace[] {
  return [...(entry?.rows ?? []), ...(entry?.texts ?? [])].map(({ alias, scope, isInherited }) => {
    return { schemaId, alias, scope, isInherited }
  })
}

type Row = readonly [attribute: number, scope: number, key: IndexKey, record: number]

/** @param numbers with all places of the entries */
export function indexStatements(tasks: readonly IndexTask[], numbers: IndexNumbers): Statement[] {
  const [added, deleted]: [Row[], Row[]] = [[], []]
  const cells: [number, string][] = []
  const texts: [number, string][] = []
  const [gone, textless, large, small]: [number[], number[], number[], number[]] = [[], [], [], []]
  const counts = new Map<string, number>()
  for (const { n, schemaId, entry, known } of tasks) {
    if (entry === undefined) {
      if (known === null) continue
      for (const cell of readCells(known)) deleted.push([...cell, n])
      gone.push(n)
      continue
    }
    const now = entry.rows.map((row): Cell => {
      return [numbers.attributeOf({ schemaId, alias: row.alias }), numbers.scopeOf(row), row.key]
    })
    const written = writeCells(now)
    if (written !== known) {
      compare(n, now, known, added, deleted)
      cells.push([n, written])
    }
    const parts = entry.texts.flatMap(({ alias, scope, isInherited, text }) => {
      return [markText(numbers.attributeOf({ schemaId, alias }), numbers.scopeOf({ scope, isInherited }), ''), text]
    })
    if (!isTextIndexed(parts)) large.push(n)
    else if (known !== null) small.push(n)
    const folded = isTextIndexed(parts) ? parts.join('').toWellFormed() : ''
    if (folded !== '') texts.push([n, folded])
    else if (known !== null) textless.push(n)
    if (known === null) for (const one of sampledTrigrams(n, folded)) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  return [
    ...rowStatements(DELETE_ROWS, deleted),
    ...rowStatements(INSERT_ROWS, added),
    ...forAll(PUT_CELLS, cells),
    ...forAll(PUT_TEXTS, texts),
    ...forNumbers('DELETE FROM record_cells WHERE record = ANY ($1::bigint[])', gone),
    ...forNumbers('DELETE FROM record_text WHERE record = ANY ($1::bigint[])', [...gone, ...textless]),
    ...forNumbers('DELETE FROM large_text WHERE record = ANY ($1::bigint[])', [...gone, ...small]),
    ...forNumbers('INSERT INTO large_text (record) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING', large),
    ...forAll(COUNT_TRIGRAMS, [...counts]),
  ]
}

/** Adds rows that only `now` has to `added`, and rows that only the index has (`known`) to `deleted`. */
function compare(n: number, now: readonly Cell[], known: string | null, added: Row[], deleted: Row[]): void {
  const wanted = new Map(now.map((cell) => [writeCells([cell]), cell]))
  const before = new Map((known === null ? [] : readCells(known)).map((cell) => [writeCells([cell]), cell]))
  for (const [id, cell] of before) if (!wanted.has(id)) deleted.push([...cell, n])
  for (const [id, cell] of wanted) if (!before.has(id)) added.push([...cell, n])
}

const ARRAYS = { value_num: 'float8', value_text: 'text' } as const
type Table = keyof typeof ARRAYS

const unnested = (table: Table): string => `unnest($1::int[], $2::int[], $3::${ARRAYS[table]}[], $4::bigint[])`

const INSERT_ROWS = (table: Table): string =>
  `INSERT INTO ${table} (attribute, scope, key, record) SELECT * FROM ${unnested(table)} ON CONFLICT DO NOTHING`

const DELETE_ROWS = (table: Table): string =>
  `DELETE FROM ${table} USING ${unnested(table)} AS gone (attribute, scope, key, record)
    WHERE ${table}.attribute = gone.attribute AND ${table}.scope = gone.scope AND ${table}.key = gone.key
      AND ${table}.record = gone.record`

function rowStatements(sqlFor: (table: Table) => string, rows: readonly Row[]): Statement[] {
  return (['value_num', 'value_text'] as const).flatMap((table) => {
    const ofTable = rows.filter(([, , key]) => (typeof key === 'number') === (table === 'value_num'))
    if (ofTable.length === 0) return []
    const keys = ofTable.map(([, , key]) => (typeof key === 'number' ? key : writeKey(key)))
    const [attributes, scopes] = [ofTable.map(([attribute]) => attribute), ofTable.map(([, scope]) => scope)]
    return [{ sql: sqlFor(table), parameters: [attributes, scopes, keys, ofTable.map(([, , , record]) => record)] }]
  })
}

const PUT_CELLS = `INSERT INTO record_cells (record, cells) SELECT * FROM unnest($1::bigint[], $2::text[])
  ON CONFLICT (record) DO UPDATE SET cells = excluded.cells`

/** Unchanged text is not written: this saves work on its trigrams. */
const PUT_TEXTS = `INSERT INTO record_text (record, folded) SELECT * FROM unnest($1::bigint[], $2::text[])
  ON CONFLICT (record) DO UPDATE SET folded = excluded.folded WHERE record_text.folded <> excluded.folded`

const COUNT_TRIGRAMS = `INSERT INTO trigram (t, n) SELECT * FROM unnest($1::text[], $2::bigint[])
  ON CONFLICT (t) DO UPDATE SET n = trigram.n + excluded.n`

function forAll(sql: string, rows: readonly (readonly [unknown, unknown])[]): Statement[] {
  return rows.length === 0 ? [] : [{ sql, parameters: [rows.map(([one]) => one), rows.map(([, other]) => other)] }]
}

function forNumbers(sql: string, numbers: readonly number[]): Statement[] {
  return numbers.length === 0 ? [] : [{ sql, parameters: [numbers] }]
}
