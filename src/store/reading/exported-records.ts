// What exports take of the records that a search finds.
import type { VariantValues } from '../../core/csv/flatten.ts'
import type { CategoryAssignment } from '../../core/model/rules/catalog.ts'
import type { LookUp, ReadRecord } from '../../core/search/plan/ask.ts'
import type { SnapshotRecord } from '../snapshot-port.ts'
import type { SearchQuery } from '../search-port.ts'
import { FoundItems } from './found-items.ts'

/** The search, of some records alone. */
export function among(query: SearchQuery, ids: readonly string[]): SearchQuery {
  const { find } = query
  if (find.kind !== 'criteria') throw new Error('Only a search by criteria can be narrowed')
  const isOne = { field: 'id', operator: 'in', value: [...ids] } as const
  const criteria = { criteria: [isOne, find.criteria], criteriaOperator: 'and' } as const
  return { ...query, find: { ...find, criteria } }
}

/** All of each record, whoever may read it, and what it inherits: what is shown of it is decided by the export. */
class WholeRecords extends FoundItems {
  override *partsOf({ n: _n, inheritedJson, ...record }: ReadRecord): Generator<SnapshotRecord, void> {
    yield { ...record, parentValuesJson: inheritedJson }
  }
}

/** With the categories that each is in by itself. */
class OwnPlacedRecords extends FoundItems {
  #assignments: ReadonlyMap<number, readonly string[]> = new Map()

  override get lookUps(): readonly LookUp[] {
    return ['assignments']
  }

  override take(_what: LookUp, found: ReadonlyMap<number, unknown>): void {
    this.#assignments = found as ReadonlyMap<number, readonly string[]>
  }

  override *partsOf({ n, inheritedJson, ...record }: ReadRecord): Generator<SnapshotRecord, void> {
    const assigned = this.#assignments.get(n) ?? []
    const categoryIds = assigned.map((json) => (JSON.parse(json) as CategoryAssignment).categoryId)
    yield { ...record, parentValuesJson: inheritedJson, categoryIds }
  }
}

/** With the categories that each is in, by itself or by what it is a variant of. */
class PlacedRecords extends FoundItems {
  #categoryIds: ReadonlyMap<number, readonly string[]> = new Map()

  override get lookUps(): readonly LookUp[] {
    return ['categoryIds']
  }

  override take(_what: LookUp, found: ReadonlyMap<number, unknown>): void {
    this.#categoryIds = found as ReadonlyMap<number, readonly string[]>
  }

  override *partsOf({ n, inheritedJson, ...record }: ReadRecord): Generator<SnapshotRecord, void> {
    yield { ...record, parentValuesJson: inheritedJson, categoryIds: this.#categoryIds.get(n) ?? [] }
  }
}

/** What an export reads of a record, with its categories where they are asked for. */
export function exportedRecords(withCategories: VariantValues | undefined) {
  if (withCategories === undefined) return WholeRecords
  return withCategories === 'own' ? OwnPlacedRecords : PlacedRecords
}
