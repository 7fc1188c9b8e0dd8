// The use cases of categories: the tree of a catalog. Contract 2 §3. `category-assignments.ts` has their records.
import type * as v from 'valibot'
import { assertParent, type Category, type CategoryInput, type CategoryMove, defineCategory } from './rules/catalog.ts'
import { planMove, renumber } from './rules/sort-order.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { CategoryStep } from '../../store/category-port.ts'
import type { Reads, Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { assignCategories } from '../records/record-categories.ts'
import { noteModelChange } from './model-entries.ts'

type Input = v.InferOutput<typeof CategoryInput>

export function createCategoryService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /** Lists all categories of a catalog by `sortOrder`, then in the order of creation. @throws NOT_FOUND */
    listOf: (_caller: Caller, catalogId: string): Promise<Category[]> =>
      store.snapshot(async (reads) => {
        await reads.catalogs.find(catalogId)
        return reads.categories.listOf(catalogId)
      }),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<Category> => findCategory(store.read, id),

    /** @throws NOT_FOUND for the catalog, VALIDATION_ERROR for the parent, CONFLICT for an ID that exists */
    create: (caller: Caller, catalogId: string, input: Input): Promise<Category> =>
      store.transaction(async (tx) => {
        await tx.catalogs.find(catalogId)
        const category = defineCategory(input.id ?? system.newId('ctg'), catalogId, input)
        // A new category has no children yet.
        const parent = category.parentId === null ? undefined : await tx.categories.get(category.parentId)
        assertParent(category.id, category.parentId, parentsOf(parent === undefined ? [] : [parent], catalogId))
        await tx.categories.insert(category)
        noteModelChange(tx, system, caller, { entityType: 'category', after: category })
        return keepAnswer(tx, caller, category)
      }),

    /**
     * Renames, sorts or moves a category within its catalog. @throws NOT_FOUND, VALIDATION_ERROR for an impossible
     * parent
     */
    replace: (caller: Caller, id: string, input: Input): Promise<Category> =>
      store.transaction(async (tx) => {
        const before = await findCategory(tx, id)
        const { catalogId } = before
        const category = defineCategory(id, catalogId, input)
        assertParent(id, category.parentId, await parentsAbove(tx, category))
        await tx.categories.update(category)
        noteModelChange(tx, system, caller, { entityType: 'category', before, after: category })
        return category
      }),

    /**
     * Moves a category below `parentId`, directly before its sibling `before`, or to the end (null). If the numbers
     * leave no room, siblings also move.
     * @throws NOT_FOUND, VALIDATION_ERROR for an impossible parent, or if `before` is not another category below the
     * parent
     */
    move: (caller: Caller, id: string, { parentId, before }: v.InferOutput<typeof CategoryMove>): Promise<Category> =>
      store.longTransaction(async (tx) => {
        const category = await findCategory(tx, id)
        const { catalogId } = category
        assertParent(id, parentId, await parentsAbove(tx, { catalogId, parentId }))
        const siblings = (await tx.categories.childrenOf(catalogId, parentId)).filter((one) => one.id !== id)
        const at = before === null ? siblings.length : siblings.findIndex((one) => one.id === before)
        if (at === -1) throw invalid(`before names '${before}', which is not another category directly below parentId`)
        const following = siblings.slice(at)
        const moved = { ...category, parentId }
        const orders =
          planMove({ moved, previous: siblings[at - 1], following }) ??
          renumber([...siblings.slice(0, at), moved, ...following].map((one) => one.id))
        for (const one of [moved, ...siblings]) {
          const sortOrder = orders.get(one.id) ?? one.sortOrder
          if (one === moved || sortOrder !== one.sortOrder) {
            const [previous, present] = [one === moved ? category : one, { ...one, sortOrder }]
            await tx.categories.update(present)
            noteModelChange(tx, system, caller, { entityType: 'category', before: previous, after: present })
          }
          await tx.pause()
        }
        return keepAnswer(tx, caller, await findCategory(tx, id))
      }),

    /**
     * Lists categories with the numbers of their records: in the category itself, and including categories below.
     * @throws NOT_FOUND
     * @throws UNAVAILABLE if it exceeds its time
     */
    async listCounted(caller: Caller, catalogId: string, signal: AbortSignal): Promise<CountedCategory[]> {
      const categories = await this.listOf(caller, catalogId)
      const counts = await store.read.categoryTrees.counts(catalogId, caller.id, signal)
      const byId = new Map(counts.map(({ id, direct, total }) => [id, { direct, total }]))
      // A category that was created meanwhile has no counts yet.
      return categories.map((category) => ({ ...category, counts: byId.get(category.id) ?? { direct: 0, total: 0 } }))
    },

    /**
     * Deletes a category with its assignments, each as a change of its record. Many assignments take several
     * transactions, so that other writers can run. A stop leaves a category with fewer records, which can be deleted
     * again.
     * @throws NOT_FOUND, CONFLICT while it has children
     */
    async delete(caller: Caller, id: string): Promise<void> {
      let isGone = false
      while (!isGone) isGone = await store.transaction((tx) => deleteSome(tx, system, caller, id))
    },
  }
}

export interface CountedCategory extends Category {
  /** Numbers of records; each record counts once. */
  readonly counts: { readonly direct: number; readonly total: number }
}

/** The most records that lose a category in one transaction. */
const BATCH = 50
/** The most records in memory together: one record may have megabytes. */
const READ_AT_ONCE = 10

/**
 * Removes some records from the category, and deletes the category together with the last record. @returns whether the
 * category is deleted
 */
async function deleteSome(tx: Transaction, system: System, caller: Caller, id: string): Promise<boolean> {
  const before = await findCategory(tx, id)
  const child = await tx.categories.findChild(id)
  if (child !== undefined) throw conflict(`The category '${id}' has children, '${child.id}' among them`)
  const recordIds = await tx.categories.recordIdsIn(id, BATCH)
  for (let at = 0; at < recordIds.length; at += READ_AT_ONCE)
    for (const record of (await tx.records.getMany(recordIds.slice(at, at + READ_AT_ONCE))).values()) {
      const assignments = await tx.categories.assignmentsOf(record.id)
      const places = assignments.filter(({ categoryId }) => categoryId !== id)
      await assignCategories(tx, system, caller, { record, places })
    }
  if (recordIds.length === BATCH) return false
  await tx.categories.delete(id)
  noteModelChange(tx, system, caller, { entityType: 'category', before })
  return true
}

/** @throws NOT_FOUND */
export async function findCategory(reads: Reads, id: string): Promise<Category> {
  const category = await reads.categories.get(id)
  if (category === undefined) throw notFound('Category', id)
  return category
}

/** Returns category ID → parent ID, for the parent and all categories above; empty: the parent is not in the catalog. */
async function parentsAbove(
  { categories }: Reads,
  { catalogId, parentId }: Pick<Category, 'catalogId' | 'parentId'>,
): Promise<Map<string, string | null>> {
  return parentsOf(parentId === null ? [] : await categories.pathOf(parentId), catalogId)
}

function parentsOf(path: readonly CategoryStep[], catalogId: string): Map<string, string | null> {
  return new Map(path[0]?.catalogId === catalogId ? path.map((step) => [step.id, step.parentId]) : [])
}
