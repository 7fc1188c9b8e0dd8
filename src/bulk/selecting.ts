// Which records a job is for: found in one snapshot, and written down in steps, so that it takes little memory however many they are.
// Contract 3 §2, 3 §10.
import { type BulkJob, type BulkTask, NO_COUNTS } from '../core/jobs/rules/bulk-job.ts'
import { BUILT_IN_ROLES } from '../core/accounts/rules/permissions.ts'
import type { BulkItem } from '../store/bulk-port.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import { findAll } from '../core/search/search.ts'
import { type AssertMay, findActor } from './actor.ts'

/** Records that one transaction writes down. */
const AT_ONCE = 500

type NewItem = Omit<BulkItem, 'place'>

interface Deps {
  readonly store: Store
  readonly system: System
  /** What the owner must be able to do. */
  readonly assertMay: AssertMay
}

/**
 * Fixes the records of the job, and begins it. Resolves to whether it goes on: not where somebody has cancelled it meanwhile.
 * @throws what the search throws; OwnerFault
 */
export async function fixSelection(deps: Deps, { id }: Pick<BulkJob, 'id'>, signal: AbortSignal): Promise<boolean> {
  const { store, system } = deps
  // What a start before this one has written down is of another moment.
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
    // What has nothing to do may still have something to end.
    const isOver = selected === 0 && present.kind !== 'schema'
    await tx.bulkJobs.update(isOver ? { ...begun, status: 'succeeded', completedAt: now } : begun)
    return !isOver
  })
}

type Items = AsyncIterable<readonly NewItem[]> | Iterable<readonly NewItem[]>

async function findItems({ store, system, assertMay }: Deps, job: BulkJob, signal: AbortSignal): Promise<Items> {
  const task = await store.read.bulkJobs.taskOf(job.id)
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
 * Backwards, so that a unique value is free again when the one who had it before gets it; but deleted records come back in the
 * order in which they went, as they are listed.
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

/** The same items, so many at once. */
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
