// Makes the parts of a new model in one transaction, and removes those that nobody has used or changed since. Contract
// 5 §1.
import { PimletError } from '../../kernel/errors.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Reads, Store, Transaction } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { hasPermission } from '../accounts/rules/permissions.ts'
import { diffMembers, type ModelChangeNote } from '../feed/rules/model-entry.ts'
import type { ChangeOrigin } from '../records/rules/changes.ts'
import type { SavedQuery } from '../search/rules/saved-query.ts'
import { removeSavedQuery } from '../search/saved-queries.ts'
import { removeCatalog } from './catalogs.ts'
import type { ModelChanges } from './changes/model-changes.ts'
import { growDimension, removeDimension, replaceDimension } from './dimensions.ts'
import { removeEmptyCategory } from './made-categories.ts'
import { type ModelChanger, noteModelChange } from './model-entries.ts'
import type { Dimension } from './rules/dimension.ts'
import { type MadeModel, type NewModel, planModel, referredFirst } from './rules/new-model.ts'
import { removeSchema } from './schemas.ts'
import { removeWorkflow } from './workflows.ts'

/** @throws VALIDATION_ERROR, CONFLICT for a part that exists */
export async function makeModel(tx: Transaction, changer: ModelChanger, parts: NewModel): Promise<MadeModel> {
  const { system, caller, origin } = changer
  const planned = planModel(parts, await tx.model(), system.now().toISOString())
  const { dimensions, workflows, schemas, catalogs, categories } = planned
  const grown = dimensions.filter(({ before, added }) => before === undefined || added.length > 0)
  const insert = async <Item extends Part>(
    entityType: ModelChangeNote['entityType'],
    place: { insert(item: Item): Promise<void> },
    items: readonly Item[],
  ): Promise<void> => {
    for (const after of items) {
      await place.insert(after)
      noteModelChange(tx, system, caller, { entityType, after, origin })
    }
  }
  for (const { before, after } of grown)
    await (before === undefined ? insert('dimension', tx.dimensions, [after]) : growDimension(tx, changer, after))
  await insert('workflow', tx.workflows, workflows)
  await insert('schema', tx.schemas, schemas)
  await insert('catalog', tx.catalogs, catalogs)
  await insert('category', tx.categories, categories)
  const made = grown.map(({ before, after, added }) => ({ after, added, isNew: before === undefined }))
  const savedQueries = await makeViews(tx, caller, parts.savedQueries ?? [])
  return { dimensions: made, workflows, schemas, catalogs, categories, savedQueries }
}

/** Resolves to the made views. A view that remained after an earlier undo stays unchanged. */
async function makeViews(tx: Transaction, { role }: Caller, views: readonly SavedQuery[]): Promise<SavedQuery[]> {
  if (!hasPermission(role, 'savedQueries.write')) return []
  const made: SavedQuery[] = []
  for (const view of views) {
    if ((await tx.savedQueries.get(view.id)) !== undefined) continue
    await tx.savedQueries.insert(view)
    made.push(view)
  }
  return made
}

interface TakingBack {
  readonly store: Store
  readonly system: System
  readonly modelChanges: ModelChanges
  readonly origin: ChangeOrigin
  /** Resolves to the caller who removes the parts; undefined: the caller does not exist any more. */
  readonly callerIn: (reads: Reads) => Promise<Caller | undefined>
}

/** Removes the parts that are unchanged and unused. @throws errors of `callerIn` */
export async function takeBackModel(deps: TakingBack, made: MadeModel): Promise<void> {
  for (const part of made.savedQueries ?? [])
    await removePart(deps, 'savedQueries', part, (tx, _, id) => removeSavedQuery(tx, id))
  for (const part of referredFirst(made.schemas).toReversed()) await removePart(deps, 'schemas', part, removeSchema)
  for (const part of made.workflows) await removePart(deps, 'workflows', part, removeWorkflow)
  for (const part of made.categories.toReversed()) await removePart(deps, 'categories', part, removeEmptyCategory)
  for (const part of made.catalogs) await removePart(deps, 'catalogs', part, removeCatalog)
  for (const { after, added, isNew } of made.dimensions)
    await (isNew ? removePart(deps, 'dimensions', after, removeDimension) : shrink(deps, after, added))
}

type Part = object & { readonly id: string }

/** Removes one part, unless it has changed. */
async function removePart(
  { store, system, origin, callerIn }: TakingBack,
  place: keyof MadeModel,
  part: Part,
  remove: (tx: Transaction, changer: ModelChanger, id: string) => Promise<void>,
): Promise<void> {
  await store.whenCalm()
  const removing = store.transaction(async (tx) => {
    const caller = await callerIn(tx)
    const present = await tx[place].get(part.id)
    // If an import added options, and its undo removed them, only the time of the last change differs.
    if (caller !== undefined && present !== undefined && diffMembers(part, present).length === 0)
      await remove(tx, { system, caller, origin }, part.id)
  })
  await unlessUsed(removing)
}

/** Removes the segments that were added to a dimension. */
async function shrink(deps: TakingBack, { id }: Dimension, added: readonly string[]): Promise<void> {
  const { store, callerIn } = deps
  await store.whenCalm()
  const [caller, present] = [await callerIn(store.read), await store.read.dimensions.get(id)]
  if (caller === undefined || present === undefined) return
  const segments = present.segments.filter((segment) => !added.includes(segment.id))
  await unlessUsed(replaceDimension({ ...deps, caller }, { ...present, segments }))
}

/** Removes a part, unless it is in use now. */
async function unlessUsed(removing: Promise<unknown>): Promise<void> {
  try {
    await removing
  } catch (error) {
    if (!(error instanceof PimletError) || error.code !== 'CONFLICT') throw error
  }
}
