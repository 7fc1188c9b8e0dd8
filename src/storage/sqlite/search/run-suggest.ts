// Suggests records while somebody types: a search, of which each record is answered by what it is called and where it matches.
import type { Values } from '../../../domain/records/record.ts'
import { suggestionOf } from '../../../domain/search/suggestions.ts'
import type { FoundSuggestion, SuggestQuery } from '../../search-port.ts'
import type { StatementCache } from '../statements.ts'
import { FoundItems, type ReadRow } from './found-items.ts'
import { runSearch } from './run-search.ts'
import type { Searcher, SearchSnapshot } from './searcher.ts'

interface SuggestStep {
  readonly items: FoundSuggestion[]
  readonly total?: null
  readonly isLast?: boolean
}

/** @throws SnapshotMissed */
export function* runSuggest(
  query: SuggestQuery,
  { sql }: Searcher,
  snapshot: SearchSnapshot,
): Generator<SuggestStep, void> {
  const items = new SuggestedRecords(query, sql, snapshot)
  for (const { isLast } of runSearch(query.search, sql, snapshot, items))
    yield { items: items.take(), total: null, ...(isLast === undefined ? {} : { isLast }) }
}

class SuggestedRecords extends FoundItems {
  readonly #query: SuggestQuery
  readonly #snapshot: SearchSnapshot
  #made: FoundSuggestion[] = []

  constructor(query: SuggestQuery, sql: StatementCache, snapshot: SearchSnapshot) {
    super(query.search, sql, snapshot.model)
    this.#query = query
    this.#snapshot = snapshot
  }

  /** Nothing of the record itself is answered. */
  override *partsOf(row: ReadRow): Generator<undefined, void> {
    const schema = this.#snapshot.model.schemas.get(row.schemaId)!
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
  take(): FoundSuggestion[] {
    return this.#made.splice(0)
  }
}
