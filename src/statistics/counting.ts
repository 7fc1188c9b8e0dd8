// Regular work, by one server: counts the entries of the audit trail by day, and once a day the records. Contract 5 §6.
import { ADMIN_ROLE_ID } from '../core/accounts/rules/permissions.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import type { Criterion } from '../core/search/rules/criterion.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Store, Transaction } from '../store/port.ts'
import { type Round, type Rounds, startRounds } from '../store/rounds.ts'
import type { DayCountReads } from '../store/statistics-port.ts'
import { matrixOf } from './rules/completeness-matrix.ts'
import {
  type CompleteCount,
  type DayCount,
  dayBefore,
  emptyDay,
  KEEP_DAYS,
  type StateCount,
  type Stock,
  withTraffic,
} from './rules/day-count.ts'

/** Milliseconds between two rounds. */
const INTERVAL = 600_000
/** Entries of the trail that one transaction counts. */
const ENTRIES_AT_ONCE = 200
/** Rows that one transaction deletes. */
const ROWS_AT_ONCE = 200

interface CountingDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
}

/** Begins at once, where no other server does so already, and again every ten minutes. */
export function startCounting({ store, system, log }: CountingDeps): Rounds {
  return startRounds({
    store,
    name: 'statistics',
    interval: INTERVAL,
    round: (round) => count(round, system),
    onFault: (error) => log.warn({ err: error }, 'the records of the day could not be counted'),
  })
}

async function count(round: Round, system: System): Promise<void> {
  const oldest = dayBefore(system.now(), KEEP_DAYS)
  const start = await findStart(round.store.read.dayCounts, oldest)
  await round.repeat((tx) => countTraffic(tx, start))
  await countStocks(round, system, start)
  await round.repeat((tx) => tx.dayCounts.deleteBefore(oldest, ROWS_AT_ONCE))
}

/** The last entry of the trail that needs no counting: it is counted, or too old. */
async function findStart(counts: DayCountReads, oldest: string): Promise<number> {
  const counted = await counts.through()
  if (counted !== undefined) return counted
  let [low, high] = [0, Number.MAX_SAFE_INTEGER]
  // Entries stand in the order of time: halve until the first one that is young enough is found.
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = await counts.entryFrom(middle)
    if (entry === undefined || entry.timestamp >= oldest) high = middle
    else low = entry.sequence + 1
  }
  return Math.max(0, low - 1)
}

/** Adds the next entries of the trail to their days. Resolves to how many rows of entries there were. */
async function countTraffic(tx: Transaction, start: number): Promise<number> {
  const after = (await tx.dayCounts.through()) ?? start
  const { traffic, through } = await tx.dayCounts.trafficAfter(after, ENTRIES_AT_ONCE)
  if (through === undefined) return 0
  const days = new Map<string, DayCount>()
  for (const entry of traffic) {
    const { schemaId, day } = entry
    const key = `${day} ${schemaId}`
    const before = days.get(key) ?? (await tx.dayCounts.get(schemaId, day)) ?? emptyDay(schemaId, day)
    days.set(key, withTraffic(before, entry))
  }
  for (const day of days.values()) await tx.dayCounts.put(day, through)
  return days.size
}

/** Counts the records of each schema that was not counted today. */
async function countStocks({ store, signal, pause }: Round, system: System, start: number): Promise<void> {
  const model = await store.read.model()
  for (const schema of model.schemas.values()) {
    if (signal.aborted) return
    const day = dayBefore(system.now(), 0)
    if (((await store.read.dayCounts.get(schema.id, day))?.stock ?? null) !== null) continue
    await store.whenCalm()
    const stock = await countStock(store, model, schema, system, signal)
    await store.transaction(async (tx) => {
      const before = (await tx.dayCounts.get(schema.id, day)) ?? emptyDay(schema.id, day)
      await tx.dayCounts.put({ ...before, stock }, (await tx.dayCounts.through()) ?? start)
    })
    await pause()
  }
}

async function countStock(
  store: Store,
  model: Model,
  schema: Schema,
  system: System,
  signal: AbortSignal,
): Promise<Stock> {
  const workflow = model.workflows.get(schema.workflowId)
  const matrix = workflow === undefined ? undefined : matrixOf(schema, workflow, model)
  const complete: CompleteCount[] = []
  for (const cell of matrix?.cells.flat() ?? []) {
    if (cell === null) continue
    const isComplete = { field: 'completeness', operator: 'equals', value: '100', stateId: matrix!.stateId } as const
    const criterion = { ...isComplete, scope: cell.scope }
    complete.push({ scope: cell.scope, count: await countFound(store, schema.id, criterion, signal) })
  }
  const states: StateCount[] = []
  for (const { id } of workflow?.states ?? [])
    states.push({ stateId: id, count: await store.read.records.count({ schemaId: schema.id, lifecycleStateId: id }) })
  const records = await store.read.records.count({ schemaId: schema.id })
  return { countedAt: system.now().toISOString(), records, states, stateId: matrix?.stateId ?? null, complete }
}

/** The number of records that a search finds, for a role that may read everything. */
async function countFound(
  { read }: Store,
  schemaId: string,
  criterion: Criterion,
  signal: AbortSignal,
): Promise<number> {
  const role = (await read.model()).roles.get(ADMIN_ROLE_ID)!
  const find = { kind: 'criteria', criteria: { criteria: [criterion], criteriaOperator: 'and' } } as const
  const { total, batches } = await read.search(
    { find, role, schemaId, offset: 0, limit: 1, withoutValues: true },
    signal,
  )
  for await (const _ of batches);
  return total ?? 0
}
