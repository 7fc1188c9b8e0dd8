// Assigns the index numbers of attributes and scopes. The caller holds the lock of the workspace row, so nobody else
// assigns numbers at the same time.
import type { Asked } from '../../store/rows/session.ts'

export interface WantedPlace {
  readonly schemaId: string
  readonly alias: string
  /** In the form of `scopeKey`. */
  readonly scope: string
  readonly isInherited: boolean
}

const ATTRIBUTES = `INSERT INTO index_attribute (schema_id, alias) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`
const FIND_ATTRIBUTES = `SELECT known.n, known.schema_id AS "schemaId", known.alias
  FROM unnest($1::text[], $2::text[]) AS wanted (schema_id, alias)
  JOIN index_attribute AS known ON known.schema_id = wanted.schema_id AND known.alias = wanted.alias`
const SCOPES = 'INSERT INTO index_scope (key) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING'
const FIND_SCOPES = 'SELECT n, key FROM index_scope WHERE key = ANY ($1::text[])'
const PAIRS = `INSERT INTO index_attribute_scope (attribute, scope) SELECT * FROM unnest($1::int[], $2::int[]) ON CONFLICT DO NOTHING`

const ALL_PAIRS = `SELECT known.n, known.attribute, known.scope, index_attribute.schema_id AS "schemaId", index_attribute.alias,
    index_scope.key
  FROM index_attribute_scope AS known
  JOIN index_attribute ON index_attribute.n = known.attribute
  JOIN index_scope ON index_scope.n = abs(known.scope)
 WHERE known.n > $1`

export class IndexNumbers {
  readonly #attributes = new Map<string, number>()
  readonly #scopes = new Map<string, number>()
  readonly #pairs = new Set<string>()
  /** The newest row that `learnCommitted` has read. */
  #newestPair = 0

  /** Forgets the numbers that a rolled back transaction assigned. */
  forget(): void {
    this.#attributes.clear()
    this.#scopes.clear()
    this.#pairs.clear()
    this.#newestPair = 0
  }

  /** Learns the numbers of the wanted places, and assigns missing ones. */
  async learn(wanted: readonly WantedPlace[], from: Asked): Promise<void> {
    await this.#learnAttributes(wanted, from)
    await this.#learnScopes(wanted, from)
    const added = new Map<string, readonly [number, number]>()
    for (const place of wanted) {
      const pair = [this.attributeOf(place), this.scopeOf(place)] as const
      if (!this.#pairs.has(pair.join(' '))) added.set(pair.join(' '), pair)
    }
    if (added.size === 0) return
    const pairs = [...added.values()]
    await from.rows(PAIRS, [pairs.map(([attribute]) => attribute), pairs.map(([, scope]) => scope)])
    for (const pair of added.keys()) this.#pairs.add(pair)
  }

  /** Whether all numbers are known, so that `learn` needs no query. */
  knows(wanted: readonly WantedPlace[]): boolean {
    return wanted.every((place) => {
      const pair = `${this.attributeOf(place)} ${this.#scopes.has(place.scope) ? this.scopeOf(place) : ''}`
      return this.#pairs.has(pair)
    })
  }

  /** Learns all committed numbers that are unknown. */
  async learnCommitted(from: Asked): Promise<void> {
    const rows = await from.rows<{
      attribute: number
      scope: number
      schemaId: string
      alias: string
      key: string
      n: number
    }>(ALL_PAIRS, [this.#newestPair])
    for (const { attribute, scope, schemaId, alias, key, n } of rows) {
      this.#attributes.set(`${schemaId}\n${alias}`, attribute)
      this.#scopes.set(key, Math.abs(scope))
      this.#pairs.add(`${attribute} ${scope}`)
      this.#newestPair = Math.max(this.#newestPair, n)
    }
  }

  attributeOf({ schemaId, alias }: Pick<WantedPlace, 'schemaId' | 'alias'>): number {
    return this.#attributes.get(`${schemaId}\n${alias}`)!
  }

  /** Returns the scope's number; negative: the value is inherited. */
  scopeOf({ scope, isInherited }: Pick<WantedPlace, 'scope' | 'isInherited'>): number {
    const n = this.#scopes.get(scope)!
    return isInherited ? -n : n
  }

  async #learnAttributes(wanted: readonly WantedPlace[], from: Asked): Promise<void> {
    const unknown = new Map<string, WantedPlace>()
    for (const place of wanted) {
      const key = `${place.schemaId}\n${place.alias}`
      if (!this.#attributes.has(key)) unknown.set(key, place)
    }
    if (unknown.size === 0) return
    const places = [...unknown.values()]
    const parameters = [places.map(({ schemaId }) => schemaId), places.map(({ alias }) => alias)]
    await from.rows(ATTRIBUTES, parameters)
    const rows = await from.rows<{ n: number; schemaId: string; alias: string }>(FIND_ATTRIBUTES, parameters)
    for (const { n, schemaId, alias } of rows) this.#attributes.set(`${schemaId}\n${alias}`, n)
  }

  async #learnScopes(wanted: readonly WantedPlace[], from: Asked): Promise<void> {
    const unknown = [...new Set(wanted.map(({ scope }) => scope))].filter((scope) => !this.#scopes.has(scope))
    if (unknown.length === 0) return
    await from.rows(SCOPES, [unknown])
    const rows = await from.rows<{ n: number; key: string }>(FIND_SCOPES, [unknown])
    for (const { n, key } of rows) this.#scopes.set(key, n)
  }
}
