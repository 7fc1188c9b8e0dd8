// A snapshot of the workspace and its index, as an engine provides for a task.
import type { Model, Schema } from '../../core/model/rules/model.ts'
import type { CategoryTree } from '../../core/search/rules/searched-record.ts'
import type { SearchQuery } from '../search-port.ts'
import type { Asked, LookUpAttribute } from '../../core/search/plan/asked.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import type { SearchIndex } from '../../core/search/plan/search-index.ts'
import type { FoundSets } from './found-sets.ts'
import type { CategoriesOf } from './searched-row.ts'
import type { WorkspaceReads } from './workspace-reads.ts'

export interface Pending {
  /** Records that the index lacks or has in an outdated state. They may have been deleted. */
  readonly records: Numbers
  /** Whether the index of a searched schema is being rebuilt, so that its data must not be used. */
  readonly isAll: boolean
}

/** The snapshot for tasks that do not search. */
export interface World {
  readonly model: Model
  readonly categories: CategoryTree
  readonly reads: WorkspaceReads
  readonly index: SearchIndex
}

/** The snapshot for a search. */
export interface Ground {
  readonly model: Model
  readonly index: SearchIndex
  readonly lookUp: LookUpAttribute
  readonly categories: CategoryTree
  readonly categoriesOf: CategoriesOf
  readonly pending: Pending
  /** Undefined: the engine does not know whether records or index changed. */
  readonly found?: FoundSets
}

/** A search on a snapshot. */
export interface Asking {
  readonly query: SearchQuery
  readonly ground: Ground
  readonly schemas: readonly Schema[]
}

export function searchedSchemas({ schemaId }: Pick<SearchQuery, 'schemaId'>, model: Model): Schema[] {
  return schemaId === undefined ? [...model.schemas.values()] : [model.schemas.get(schemaId) ?? []].flat()
}

export function askedOf({ query, ground, schemas }: Asking): Asked {
  const { index, model, lookUp, categories } = ground
  return { index, schemas, model, lookUp, role: query.role, categories, prints: new Map() }
}

export function idsOf(schemas: readonly Schema[]): string[] {
  return schemas.map((schema) => schema.id)
}
