// Selects the records of a job in one snapshot, and stores them in steps. Memory use does not depend on the number of
// records. Contract 3 §2, 3 §10.
import { type BulkJob, type BulkTask, NO_COUNTS } from '../core/jobs/rules/bulk-job.ts'
import { BUILT_IN_ROLES } from '../core/accounts/rules/permissions.ts'
import type { BulkItem } from '../store/bulk-port.ts'
import type { Store } from '../store/port.ts'
import { findAll } from '../core/search/search.ts'
import { findActor, type JobDeps } from './job-actor.ts'
import { selectDetached } from './detaching.ts'

/** Records that one transaction stores. */
const AT_ONCE = 500

type NewItem = Omit<BulkItem, 'place'>

/**
 * Fixes the records of the job, and begins the job. Resolves to whether the job continues; false where somebody
 * cancelled it meanwhile.
 * @throws errors of the search; OwnerFault
 */
export async function fixSelection(deps: JobDeps, { id }: Pick<BulkJob, 'id'>, signal: AbortSignal): Promise<boolean> {
  const { store, system } = deps
  // Removes the records that an interrupted attempt stored, because they belong to another snapshot.
  while ((await store.transaction((tx) => tx.bulkJobs.removeItems(id, AT_ONCE))) > 0) signal.throwIfAborted()
  const job = await store.read.bulkJobs.get(id)
  if (job === undefined) return false
  let selected = 0
  for await (const items of inParts(await findItems(deps, job, signal))) {
    signal.throwIfAborted()
    const first = selected + 1
    await store.transaction((tx) => tx.bulkJobs.addItems(id, first, items))
    selected += items.length
  }
  return store.transaction(async (tx) => {
    const present = await tx.bulkJobs.get(id)
    if (present?.status !== 'queued') return false
    const now = system.now().toISOString()
    const begun: BulkJob = { ...present, ...NO_COUNTS, selected, isSelected: true, status: 'running', startedAt: now }
    // A job without records may still have to complete a change of the schema, or take back parts that an import made.
    const isOver = selected === 0 && present.kind !== 'schema' && present.kind !== 'undo'
    await tx.bulkJobs.update(isOver ? { ...begun, status: 'succeeded', completedAt: now } : begun)
    return !isOver
  })
}

type Items = AsyncIterable<readonly NewItem[]> | Iterable<readonly NewItem[]>

async function findItems({ store, system, assertMay }: JobDeps, job: BulkJob, signal: AbortSignal): Promise<Items> {
  const task = await store.read.bulkJobs.taskOf(job.id)
  if (task.kind === 'detach') return selectDetached(store, task.recordId)
  if (task.kind === 'undo') return changedBy(store, task.jobId)
  if (task.kind === 'import') throw new Error('An import has rows, and no records')
  if (task.kind === 'replacement') throw new Error('A change of a schema selects its own records')
  if (task.kind === 'rename') {
    const all = { criteria: [], criteriaOperator: 'and', schemaId: task.renaming.schemaId } as const
    return without((await findAll(store, BUILT_IN_ROLES[0]!, all, signal)).batches, new Set())
  }
  const { selection } = task
  if ('ids' in selection) return [[...new Set(selection.ids)].map(toItem)]
  const caller = await findActor(store.read, system, job, assertMay)
  const { batches } = await findAll(store, caller.role, selection.query, signal)
  return without(batches, new Set(selection.except))
}

async function* without(
  batches: AsyncIterable<readonly { readonly id: string }[]>,
  except: ReadonlySet<string>,
): AsyncGenerator<NewItem[]> {
  for await (const batch of batches)
    yield batch
      .map(({ id }) => id)
      .filter((id) => !except.has(id))
      .map(toItem)
}

/**
 * Yields records in reverse order, so that a unique value is free before its previous owner takes it back. Deleted
 * records come in the order of their deletion, as listed.
 */
async function* changedBy(store: Store, jobId: string): AsyncGenerator<BulkItem[]> {
  const isReversed = !deletes(await store.read.bulkJobs.taskOf(jobId))
  let place = isReversed ? Number.MAX_SAFE_INTEGER : 0
  for (;;) {
    const items = await store.read.bulkJobs.changedFrom(jobId, place, AT_ONCE, isReversed)
    if (items.length === 0) return
    yield items
    place = items.at(-1)!.place
  }
}

function deletes(task: BulkTask): boolean {
  return task.kind === 'bulk' && task.actions.some((action) => 'delete' in action)
}

function toItem(recordId: string): NewItem {
  return { recordId, arrangement: null }
}

/** Yields the same items in batches. */
async function* inParts(items: Items): AsyncGenerator<NewItem[]> {
  let part: NewItem[] = []
  for await (const some of items)
    for (const item of some) {
      part.push(item)
      if (part.length < AT_ONCE) continue
      yield part
      part = []
    }
  if (part.length > 0) yield part
}
