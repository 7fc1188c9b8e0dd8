// Makes the input of search predicates for tests: a record with defaults, and its workspace.
import { BUILT_IN_ROLES, type Role } from '../../src/core/accounts/rules/permissions.ts'
import type { Model } from '../../src/core/model/rules/model.ts'
import type { CategoryTree, SearchedRecord, SearchWorld } from '../../src/core/search/rules/searched-record.ts'

const NO_CATEGORIES: CategoryTree = { catalogOf: () => undefined, withDescendants: (ids) => new Set(ids) }

export function searched(record: Pick<SearchedRecord, 'schema' | 'layers'> & Partial<SearchedRecord>): SearchedRecord {
  const time = '2026-03-01T08:00:00.000Z'
  return {
    id: 'ent-1',
    schemaId: record.schema.id,
    parentId: null,
    lifecycleStateId: 'state-draft',
    createdAt: time,
    updatedAt: time,
    createdBy: 'user-1',
    updatedBy: 'user-1',
    categoryIds: [],
    ...record,
  }
}

export function worldOf(model: Model, role: Role = BUILT_IN_ROLES[0]!, categories = NO_CATEGORIES): SearchWorld {
  return { model, role, categories }
}
