// Suggests records while a user types: runs a search, and returns the label and the match of each record.
import type { Model } from '../../core/model/rules/model.ts'
import { parseLayers } from '../../core/records/rules/record.ts'
import { suggestionOf } from '../../core/search/rules/record-suggestions.ts'
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import type { FoundSuggestion, SuggestQuery } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import type { Ground } from './search-snapshot.ts'
import { runSearch } from './run-search.ts'

export async function runSuggest(query: SuggestQuery, ground: Ground): Promise<FoundSuggestion[]> {
  const items = new SuggestedRecords(query, ground.model)
  // The search yields no parts; it only fills `items.made`.
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

  /** Yields nothing, because suggestions contain no records. */
  override *partsOf(row: ReadRecord): Generator<undefined, void> {
    const schema = this.model.schemas.get(row.schemaId)!
    const { search, needles } = this.#query
    const suggestion = suggestionOf(row.id, parseLayers(row), schema, search.role, needles)
    const image = search.view?.include?.includes('image') === true ? { image: this.imageOf(row) } : {}
    this.made.push({ id: row.id, schemaId: row.schemaId, ...suggestion, ...image })
    yield undefined
  }
}
