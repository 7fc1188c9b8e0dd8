// The workspace and its index at one moment, as an engine shows them to a task.
import type { Model, Schema } from '../../core/model/rules/model.ts'
import type { CategoryTree } from '../../core/search/rules/searched-record.ts'
import type { SearchQuery } from '../search-port.ts'
import type { Asked, LookUpAttribute } from '../../core/search/plan/asked.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import type { SearchIndex } from '../../core/search/plan/search-index.ts'
import type { CategoriesOf } from './searched-row.ts'
import type { WorkspaceReads } from './workspace-reads.ts'

export interface Pending {
  /** Of which the index knows nothing, or how they were before. They may be gone. */
  readonly records: Numbers
  /** The index is being made anew for one of the schemas: nothing it says of them counts. */
  readonly isAll: boolean
}

/** For tasks that do not search. */
export interface World {
  readonly model: Model
  readonly categories: CategoryTree
  readonly reads: WorkspaceReads
  readonly index: SearchIndex
}

/** For a search. */
export interface Ground {
  readonly model: Model
  readonly index: SearchIndex
  readonly lookUp: LookUpAttribute
  readonly categories: CategoryTree
  readonly categoriesOf: CategoriesOf
  readonly pending: Pending
}

/** What is asked of a ground. */
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
