// The use cases of catalogs. Contract 2 §3.
import type * as v from 'valibot'
import type { Catalog, CatalogInput } from './rules/catalog.ts'
import { conflict } from '../../kernel/errors.ts'
import { findJobUse } from './job-uses.ts'
import { isExportedFrom } from './rules/usage.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { type ModelChanger, noteModelChange } from './model-entries.ts'

type Input = v.InferOutput<typeof CatalogInput>

export function createCatalogService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /** In the order of creation. */
    list: (_caller: Caller): AsyncGenerator<readonly Catalog[], void> => store.read.catalogs.pages(),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<Catalog> => store.read.catalogs.find(id),

    /** @throws CONFLICT for an ID that exists */
    async create(caller: Caller, { id = system.newId('cat'), name }: Input): Promise<Catalog> {
      const catalog: Catalog = { id, name }
      return store.transaction(async (tx) => {
        await tx.catalogs.insert(catalog)
        noteModelChange(tx, system, caller, { entityType: 'catalog', after: catalog })
        return keepAnswer(tx, caller, catalog)
      })
    },

    /** @throws NOT_FOUND */
    replace: (caller: Caller, id: string, { name }: Input): Promise<Catalog> =>
      store.transaction(async (tx) => {
        const before = await tx.catalogs.find(id)
        const catalog: Catalog = { id, name }
        await tx.catalogs.update(catalog)
        noteModelChange(tx, system, caller, { entityType: 'catalog', before, after: catalog })
        return catalog
      }),

    /** @throws NOT_FOUND, CONFLICT while the catalog has categories, or an export job uses it */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction((tx) => removeCatalog(tx, { system, caller }, id)),
  }
}

/** @throws as deleting a catalog does */
export async function removeCatalog(
  tx: Transaction,
  { system, caller, origin }: ModelChanger,
  id: string,
): Promise<void> {
  const before = await tx.catalogs.find(id)
  const [category] = await tx.categories.listOf(id)
  if (category !== undefined) throw conflict(`The catalog '${id}' has categories, '${category.id}' among them`)
  const use = await findJobUse(tx, (job) => isExportedFrom(job, id))
  if (use !== undefined) throw conflict(`The catalog '${id}' is used by ${use}`)
  await tx.catalogs.delete(id)
  noteModelChange(tx, system, caller, { entityType: 'catalog', before, origin })
}
