// Reads the records of a search for exports.
import type { VariantValues } from '../../core/records/rules/exported-record.ts'
import type { CategoryAssignment } from '../../core/model/rules/catalog.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import type { ReadRecord, SearchIndex } from '../../core/search/plan/search-index.ts'
import type { FoundOptions, SnapshotRecord } from '../snapshot-port.ts'
import { PimletError } from '../../kernel/errors.ts'
import type { SearchQuery } from '../search-port.ts'
import { FoundItems } from './found-items.ts'
import { runSearch } from './run-search.ts'
import type { Ground } from './search-snapshot.ts'
import type { TaskTime } from './task-time.ts'

const TOO_LONG =
  'The export took too long to find its records (--query-timeout). Narrow it: name a schema, use equals or a longer text, or drop a scope.'

export function exportTookTooLong(): PimletError {
  return new PimletError('UNAVAILABLE', TOO_LONG)
}

/** Most records of one batch; the steps of a search yield more. */
const BATCH_RECORDS = 100

/** Yields the records of an export in batches. */
export async function* exportedBatches(
  search: SearchQuery,
  { withCategories, ids }: FoundOptions,
  ground: Ground,
  time: TaskTime,
): AsyncGenerator<SnapshotRecord[], void> {
  if (ids?.length === 0) return
  const query = ids === undefined ? search : among(search, ids)
  const steps = runSearch(query, ground, new (exportedRecords(withCategories))(query, ground.model))
  try {
    for (;;) {
      const step = await time.measure(() => steps.next())
      if (step.done === true) return
      const records = step.value.records as SnapshotRecord[]
      while (records.length > BATCH_RECORDS) yield records.splice(0, BATCH_RECORDS)
      yield records
    }
  } finally {
    await steps.return()
  }
}

/** Limits the search to some records. */
function among(query: SearchQuery, ids: readonly string[]): SearchQuery {
  const { find } = query
  if (find.kind !== 'criteria') throw new Error('Only a search by criteria can be narrowed')
  const isOne = { field: 'id', operator: 'in', value: [...ids] } as const
  const criteria = { criteria: [isOne, find.criteria], criteriaOperator: 'and' } as const
  return { ...query, find: { ...find, criteria } }
}

/** Records with all values, inherited ones too, regardless of the role. The export decides which values are shown. */
class WholeRecords extends FoundItems {
  override *partsOf({ n: _n, inheritedJson, ...record }: ReadRecord): Generator<SnapshotRecord, void> {
    yield { ...record, parentValuesJson: inheritedJson }
  }
}

/** Adds the categories of each record itself. */
class OwnPlacedRecords extends FoundItems {
  #assignments: ReadonlyMap<number, readonly string[]> = new Map()

  override get isLookedUp(): boolean {
    return true
  }

  override async lookUp(records: Numbers, index: SearchIndex): Promise<void> {
    this.#assignments = await index.assignments(records)
  }

  override *partsOf({ n, inheritedJson, ...record }: ReadRecord): Generator<SnapshotRecord, void> {
    const assigned = this.#assignments.get(n) ?? []
    const categoryIds = assigned.map((json) => (JSON.parse(json) as CategoryAssignment).categoryId)
    yield { ...record, parentValuesJson: inheritedJson, categoryIds }
  }
}

/** Adds the categories of each record and of its parent. */
class PlacedRecords extends FoundItems {
  #categoryIds: ReadonlyMap<number, readonly string[]> = new Map()

  override get isLookedUp(): boolean {
    return true
  }

  override async lookUp(records: Numbers, index: SearchIndex): Promise<void> {
    this.#categoryIds = await index.categoryIds(records)
  }

  override *partsOf({ n, inheritedJson, ...record }: ReadRecord): Generator<SnapshotRecord, void> {
    yield { ...record, parentValuesJson: inheritedJson, categoryIds: this.#categoryIds.get(n) ?? [] }
  }
}

/** Chooses the items by the categories that the export needs. */
function exportedRecords(withCategories: VariantValues | undefined) {
  if (withCategories === undefined) return WholeRecords
  return withCategories === 'own' ? OwnPlacedRecords : PlacedRecords
}
