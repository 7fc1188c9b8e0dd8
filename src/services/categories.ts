// The use cases of categories: the tree of a catalog. Decisions §3. Which records are in them: `assignments.ts`.
import type * as v from 'valibot'
import { assertParent, type Category, type CategoryInput } from '../domain/catalogs.ts'
import { conflict, notFound } from '../domain/errors.ts'
import type { Reads, Store } from '../storage/port.ts'
import type { System } from '../system.ts'
import type { Caller } from './caller.ts'

type Input = v.InferOutput<typeof CategoryInput>

export function createCategoryService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /** All categories of a catalog, by sortOrder, then in the order of creation. @throws NOT_FOUND */
    async listOf(_caller: Caller, catalogId: string): Promise<Category[]> {
      await assertCatalogExists(store.read, catalogId)
      return store.read.categories.listOf(catalogId)
    },

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<Category> => findCategory(store.read, id),

    /** @throws NOT_FOUND for the catalog, VALIDATION_ERROR for the parent, CONFLICT for an ID that exists */
    create: (_caller: Caller, catalogId: string, input: Input): Promise<Category> =>
      store.transaction(async (tx) => {
        await assertCatalogExists(tx, catalogId)
        const category: Category = { ...input, id: input.id ?? system.newId('ctg'), catalogId }
        assertParent(category.id, category.parentId, await parentsIn(tx, catalogId))
        await tx.categories.insert(category)
        return category
      }),

    /** Renames, sorts or moves it within its catalog. @throws NOT_FOUND, VALIDATION_ERROR for a parent that cannot be */
    replace: (_caller: Caller, id: string, input: Input): Promise<Category> =>
      store.transaction(async (tx) => {
        const { catalogId } = await findCategory(tx, id)
        const category: Category = { ...input, id, catalogId }
        assertParent(id, category.parentId, await parentsIn(tx, catalogId))
        await tx.categories.update(category)
        return category
      }),

    /** Its assignments go with it. @throws NOT_FOUND, CONFLICT while it has children */
    async delete(_caller: Caller, id: string): Promise<void> {
      await store.transaction(async (tx) => {
        const { catalogId } = await findCategory(tx, id)
        const child = (await tx.categories.listOf(catalogId)).find((candidate) => candidate.parentId === id)
        if (child !== undefined) throw conflict(`The category '${id}' has children, '${child.id}' among them`)
        await tx.categories.delete(id)
      })
    },
  }
}

export type CategoryService = ReturnType<typeof createCategoryService>

/** @throws NOT_FOUND */
export async function findCategory(reads: Reads, id: string): Promise<Category> {
  const category = await reads.categories.get(id)
  if (category === undefined) throw notFound('Category', id)
  return category
}

async function assertCatalogExists(reads: Reads, catalogId: string): Promise<void> {
  if ((await reads.catalogs.get(catalogId)) === undefined) throw notFound('Catalog', catalogId)
}

async function parentsIn(reads: Reads, catalogId: string): Promise<Map<string, string | null>> {
  return new Map((await reads.categories.listOf(catalogId)).map((category) => [category.id, category.parentId]))
}
