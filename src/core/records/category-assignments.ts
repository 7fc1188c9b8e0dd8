// The use cases of category assignments: the categories of a record, and the records of a category.
// Contract 1 §2.6, 1 §4.1, 2 §3. Assigning is a change of the record: contract 3 §3.
import type * as v from 'valibot'
import type { AssignmentsInput, CategoryAssignment } from '../model/rules/catalog.ts'
import type { Store } from '../../store/port.ts'
import type { CategoryPage, RecordList } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { findCategory } from '../model/category-service.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { findRecord, readableRecord } from './readable-records.ts'
import { assertCategoriesExist, assignCategories } from './record-categories.ts'

type Input = v.InferOutput<typeof AssignmentsInput>

export interface RecordAssignments {
  /** In the order of catalogs' and categories' creation. */
  readonly assignments: readonly CategoryAssignment[]
  /** The version of the record. */
  readonly version: number
}

export function createAssignmentService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /** @throws NOT_FOUND */
    listOf: (_caller: Caller, recordId: string): Promise<RecordAssignments> =>
      store.snapshot(async (reads) => {
        const { version } = await findRecord(reads, recordId)
        return { assignments: await reads.categories.assignmentsOf(recordId), version }
      }),

    /** @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_ERROR naming a category that is unknown or occurs twice */
    replace: (caller: Caller, recordId: string, input: Input, ifMatch: IfMatch): Promise<RecordAssignments> =>
      store.transaction(async (tx) => {
        const record = await findRecord(tx, recordId)
        assertMatches(ifMatch, record.version)
        await assertCategoriesExist(tx, input)
        const { version } = await assignCategories(tx, system, caller, { record, places: input })
        return { assignments: await tx.categories.assignmentsOf(recordId), version }
      }),

    /** Lists full records by their sort order within the category. Undefined: too many bytes at once. @throws NOT_FOUND */
    async listRecords(caller: Caller, categoryId: string, page: CategoryPage): Promise<RecordList | undefined> {
      const found = await store.snapshot(async (reads) => {
        await findCategory(reads, categoryId)
        return reads.records.listInCategory(categoryId, page)
      })
      return found && { ...found, items: found.items.map((record) => readableRecord(caller.role, record)) }
    },
  }
}

export type AssignmentService = ReturnType<typeof createAssignmentService>
