// Suggests records while somebody types: a search, of which each record is answered by what it is called and where it matches.
import type { Model } from '../../core/model/rules/model.ts'
import type { Values } from '../../core/records/rules/record.ts'
import { suggestionOf } from '../../core/search/rules/record-suggestions.ts'
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import type { FoundSuggestion, SuggestQuery } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import type { Ground } from './search-snapshot.ts'
import { runSearch } from './run-search.ts'

export async function runSuggest(query: SuggestQuery, ground: Ground): Promise<FoundSuggestion[]> {
  const items = new SuggestedRecords(query, ground.model)
  // Its records have no parts: it is run for what it makes of them.
  await Array.fromAsync(runSearch(query.search, ground, items))
  return items.made
}

class SuggestedRecords extends FoundItems {
  readonly #query: SuggestQuery
  readonly made: FoundSuggestion[] = []

  constructor(query: SuggestQuery, model: Model) {
    super(query.search, model)
    this.#query = query
  }

  /** Nothing of the record itself is answered. */
  override *partsOf(row: ReadRecord): Generator<undefined, void> {
    const schema = this.model.schemas.get(row.schemaId)!
    const layers = {
      own: JSON.parse(row.valuesJson) as Values,
      inherited: row.inheritedJson === null ? null : (JSON.parse(row.inheritedJson) as Values),
    }
    const { search, needles } = this.#query
    const suggestion = suggestionOf(row.id, layers, schema, search.role, needles)
    this.made.push({ id: row.id, schemaId: row.schemaId, ...suggestion })
    yield undefined
  }
}
