// Caches the numbers of attributes and scopes in the search index. Rows are only added, in the order of commits, so
// cached rows stay valid and only later rows are read.
import { parseScopeKey } from '../../core/scopes/scope.ts'
import type { IndexedAttribute, IndexedScope, LookUpAttribute } from '../../core/search/plan/asked.ts'
import type { Asked } from '../../store/rows/session.ts'

interface Row {
  readonly place: number
  readonly schemaId: string
  readonly alias: string
  readonly n: number
  readonly scope: number
  readonly key: string
}

const ROWS = `SELECT known.n AS place, index_attribute.schema_id AS "schemaId", index_attribute.alias, index_attribute.n,
    known.scope, index_scope.key
  FROM index_attribute_scope AS known
  JOIN index_attribute ON index_attribute.n = known.attribute
  JOIN index_scope ON index_scope.n = abs(known.scope)
 WHERE known.n > $1 ORDER BY known.n`

interface PlacedScope extends IndexedScope {
  readonly place: number
}

export class Dictionary {
  readonly #attributes = new Map<string, Map<string, { n: number; scopes: PlacedScope[] }>>()
  #known = 0

  /** Reads all rows up to `newest`, the place of a row that `from` sees. */
  async learn(newest: number, from: Asked): Promise<void> {
    if (newest <= this.#known) return
    for (const { place, schemaId, alias, n, scope, key } of await from.rows<Row>(ROWS, [this.#known])) {
      // Two calls may have read the same rows.
      if (place <= this.#known) continue
      this.#known = place
      const ofAlias = this.#attributes.get(alias) ?? new Map<string, { n: number; scopes: PlacedScope[] }>()
      this.#attributes.set(alias, ofAlias)
      const attribute = ofAlias.get(schemaId) ?? { n, scopes: [] }
      ofAlias.set(schemaId, attribute)
      attribute.scopes.push({ place, n: scope, scope: parseScopeKey(key) })
    }
  }

  /** Looks up names as of the row `newest`. @param schemaId undefined: all schemas */
  lookUp(newest: number, schemaId: string | undefined): LookUpAttribute {
    const known = new Map<string, ReadonlyMap<string, IndexedAttribute>>()
    return (alias) => {
      const before = known.get(alias)
      if (before !== undefined) return before
      const found = new Map<string, IndexedAttribute>()
      for (const [id, { n, scopes }] of this.#attributes.get(alias) ?? []) {
        const there = scopes.filter(({ place }) => place <= newest)
        if ((schemaId ?? id) === id && there.length > 0) found.set(id, { n, scopes: there })
      }
      known.set(alias, found)
      return found
    }
  }
}
