// Suggests records while somebody types: a search, of which each record is answered by what it is called and where it matches.
import type { Model } from '../../core/model/rules/model.ts'
import type { Values } from '../../core/records/rules/record.ts'
import { suggestionOf } from '../../core/search/rules/record-suggestions.ts'
import { type Program, type ReadRecord, within } from '../../core/search/plan/ask.ts'
import type { FoundSuggestion, SuggestQuery } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import type { Ground } from './search-snapshot.ts'
import { runSearch } from './run-search.ts'

interface SuggestStep {
  readonly items: FoundSuggestion[]
  readonly total?: null
  readonly isLast?: boolean
}

export function* runSuggest(query: SuggestQuery, ground: Ground): Program<SuggestStep> {
  const items = new SuggestedRecords(query, ground.model)
  yield* within(runSearch(query.search, ground, items), ({ isLast }) => ({
    items: items.takeMade(),
    total: null,
    ...(isLast === undefined ? {} : { isLast }),
  }))
}

class SuggestedRecords extends FoundItems {
  readonly #query: SuggestQuery
  #made: FoundSuggestion[] = []

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
    this.#made.push({ id: row.id, schemaId: row.schemaId, ...suggestion })
    yield undefined
  }

  /** Those that were made since they were taken last. */
  takeMade(): FoundSuggestion[] {
    return this.#made.splice(0)
  }
}
