// Ends runs that nobody performs any more: runs of a dead server, and runs of other programs without news for a day.
// Otherwise they would block their job for ever. Contract 2 §6, 3 §5, 3 §9.11.
import type { ExportRun } from '../rules/export-run.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { ExportRunReads } from '../../store/run-port.ts'
import { keepFew, keptUntil } from './kept-files.ts'
import { INTERRUPTED } from './run.ts'
import type { Spool } from './spool.ts'

interface Parts {
  readonly store: Store
  readonly spool: Spool
}

/** Ends the runs of `list`. @returns their IDs */
export async function endInterrupted(
  parts: Parts,
  list: (runs: ExportRunReads) => Promise<ExportRun[]>,
  now: Date,
): Promise<string[]> {
  const files = new Map<string, string | null>()
  for (const { id } of await list(parts.store.read.exportRuns)) files.set(id, await findFile(parts, id))
  if (files.size === 0) return []
  return parts.store.transaction(async (tx) => {
    const present = now.toISOString()
    // Runs that were added meanwhile are ended next time.
    const ended = (await list(tx.exportRuns)).filter(({ id }) => files.has(id))
    for (const run of ended) {
      const completedAt = present > run.startedAt ? present : run.startedAt
      const sha256 = files.get(run.id) ?? null
      const kept = { sha256, keptUntil: sha256 === null ? null : keptUntil(now) }
      await tx.exportRuns.update({ ...run, ...kept, status: 'failed', completedAt, error: INTERRUPTED })
      await keepFew(tx, run.jobId)
    }
    return ended.map(({ id }) => id)
  })
}

/**
 * @returns the SHA-256 of the run's file. A file in the directory of another server is believed as noted, because only that
 * server can look.
 */
async function findFile({ store, spool }: Parts, runId: string): Promise<string | null> {
  const file = await store.read.exportRuns.fileOf(runId)
  if (file === undefined) return null
  const isThere = !(await store.read.exportRuns.isFileHere(runId)) || (await spool.has(runId, file.size))
  return isThere ? file.sha256 : null
}

/** Milliseconds without news. */
const PATIENCE = 86_400_000
const NO_NEWS = 'there was no news of this run for 24 hours'
/** Runs that one transaction ends. */
const BATCH = 100

/** Ends some silent runs: of the given job, or of all jobs. */
export async function endSilentRuns(tx: Transaction, now: Date, jobId?: string): Promise<void> {
  const silent = await tx.exportRuns.listSilent(lastNews(now), BATCH, jobId)
  const present = now.toISOString()
  for (const run of silent) {
    const completedAt = present > run.startedAt ? present : run.startedAt
    await tx.exportRuns.update({ ...run, status: 'failed', completedAt, error: NO_NEWS })
  }
}

/** Ends all silent runs, some at a time; most of the time there are none, and nothing is written. */
export async function endAllSilentRuns(store: Store, now: Date): Promise<void> {
  for (;;) {
    if ((await store.read.exportRuns.listSilent(lastNews(now), 1)).length === 0) return
    await store.transaction((tx) => endSilentRuns(tx, now))
  }
}

function lastNews(now: Date): string {
  return new Date(now.getTime() - PATIENCE).toISOString()
}
