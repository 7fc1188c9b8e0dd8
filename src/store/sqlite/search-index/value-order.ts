// Collects rows for the table "value" in its order, because sorted inserts are faster.
import type { IndexKey } from '../../../core/search/plan/sets.ts'
import type { StatementCache } from '../statements.ts'

/** Rows that one statement adds. */
const ADDED_AT_ONCE = 32

const INSERT = 'INSERT OR IGNORE INTO value (attribute, scope, key, record) VALUES '
const ROW = '(?, ?, ?, ?)'
const INSERT_ONE = INSERT + ROW
const INSERT_MANY = INSERT + Array.from({ length: ADDED_AT_ONCE }, () => ROW).join(', ')

/** The place of one attribute in one scope. */
interface Place {
  readonly attribute: number
  readonly scope: number
  readonly rows: (readonly [key: IndexKey, record: number])[]
}

export class AddedRows {
  readonly #places = new Map<number, Map<number, Place>>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Adds a row; records must come in ascending order. */
  add(record: number, attribute: number, scope: number, key: IndexKey): void {
    let scopes = this.#places.get(attribute)
    if (scopes === undefined) this.#places.set(attribute, (scopes = new Map()))
    let place = scopes.get(scope)
    if (place === undefined) scopes.set(scope, (place = { attribute, scope, rows: [] }))
    place.rows.push([key, record])
    this.#count += 1
  }

  /** Inserts the collected rows into the table, and clears the collection. */
  insert(sql: StatementCache): void {
    let some: unknown[] = []
    for (const { attribute, scope, rows } of this.#inOrder())
      for (const [key, record] of rows) {
        some.push(attribute, scope, key, record)
        if (some.length < 4 * ADDED_AT_ONCE) continue
        sql.run(INSERT_MANY, some)
        some = []
      }
    for (let at = 0; at < some.length; at += 4) sql.run(INSERT_ONE, some.slice(at, at + 4))
    this.clear()
  }

  clear(): void {
    this.#places.clear()
    this.#count = 0
  }

  /** Returns approximately the order of the table; small deviations only cost time. */
  #inOrder(): Place[] {
    const places = [...this.#places.values()].flatMap((scopes) => [...scopes.values()])
    for (const { rows } of places) rows.sort(([one], [other]) => compareKeys(one, other))
    return places.sort((one, other) => one.attribute - other.attribute || one.scope - other.scope)
  }
}

function compareKeys(a: IndexKey, b: IndexKey): number {
  if (typeof a === 'number' || typeof b === 'number')
    return typeof a === typeof b ? Number(a) - Number(b) : typeof a === 'number' ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b)
  return typeof a === 'string' ? -1 : typeof b === 'string' ? 1 : Buffer.compare(a, b)
}
