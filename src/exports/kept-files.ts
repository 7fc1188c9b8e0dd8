// How long files of failed deliveries stay in the spool, and how many of them. Contract 3 §5.
import type { ExportRun } from '../domain/exports/export-run.ts'
import type { Store, Transaction } from '../storage/port.ts'
import type { Spool } from './spool.ts'

/** Milliseconds. */
const KEPT = 86_400_000
/** Of one job. */
const MAX_KEPT = 3

export function keptUntil(now: Date): string {
  return new Date(now.getTime() + KEPT).toISOString()
}

/** Of the job's files the latest are kept: a job that fails all the time would fill the disk. */
export async function keepFew(tx: Transaction, jobId: string): Promise<void> {
  const kept = await tx.exportRuns.listKept(jobId)
  for (const run of kept.slice(MAX_KEPT)) await tx.exportRuns.update({ ...run, keptUntil: null })
}

/** Removes what is not kept any more. `busy`: runs that go on. */
export async function tidySpool(
  { store, spool }: { readonly store: Store; readonly spool: Spool },
  now: Date,
  busy: () => readonly string[],
): Promise<void> {
  const isOver = ({ keptUntil: until }: ExportRun): boolean => until !== null && until <= now.toISOString()
  if ((await store.read.exportRuns.listKept()).some(isOver))
    await store.transaction(async (tx) => {
      for (const run of await tx.exportRuns.listKept())
        if (isOver(run)) await tx.exportRuns.update({ ...run, keptUntil: null })
    })
  await spool.sweep(async () => {
    // One that ends in between is among the kept ones. Of a server that was killed, others learn only after a while that its runs have ended.
    const going = busy()
    const running = await store.read.exportRuns.listRunning()
    const kept = await store.read.exportRuns.listKept()
    return new Set([...going, ...[...running, ...kept].map(({ id }) => id)])
  })
}
