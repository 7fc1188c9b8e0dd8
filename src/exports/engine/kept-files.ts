// How long files of failed deliveries stay in the spool, how many of them, and where they may go. Contract 3 §5, 3 §12.
import type { Role } from '../../core/accounts/rules/permissions.ts'
import { readsAllOf } from '../../core/accounts/rules/role-excess.ts'
import { conflict } from '../../kernel/errors.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { ExportRun, RenderedFile } from '../rules/export-run.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { Destinations } from '../destinations/destinations.ts'
import type { Spool } from './spool.ts'

/** Milliseconds. */
const KEPT = 86_400_000
/** Kept files of one job. */
const MAX_KEPT = 3

/** A file that is to be delivered again: the run that made it, and where the job's files go by these settings. */
export interface Redelivery {
  readonly runId: string
  readonly address: string
  readonly settings: string
}

/** @throws NOT_FOUND */
export async function redeliveryOf(
  { store, destinations }: { readonly store: Store; readonly destinations: Pick<Destinations, 'addressOf'> },
  jobId: string,
  runId: string,
): Promise<Redelivery> {
  const job = await store.read.exportJobs.find(jobId)
  return { runId, address: await destinations.addressOf(job), settings: settingsOf(job) }
}

/** Settings that decide the address of the job's files, for comparison. */
export function settingsOf({ destinationType, destinationConfig, secrets }: ExportJob): string {
  return JSON.stringify([destinationType, destinationConfig, secrets])
}

/** A kept file may go only to its original address, while the job's owner may read its content. @throws CONFLICT */
export function assertMayGo(
  file: RenderedFile,
  { address, role }: { readonly address: string; readonly role: Role },
): void {
  if (file.address !== address)
    throw conflict("The file was made for another address than the job's files go to now: trigger the job instead")
  if (file.role === undefined || !readsAllOf(role, file.role))
    throw conflict("The file may hold what the job's owner may not read any more: trigger the job instead")
}

export function keptUntil(now: Date): string {
  return new Date(now.getTime() + KEPT).toISOString()
}

/** Keeps the latest files of the job only: a job that always fails would fill the disk. */
export async function keepFew(tx: Transaction, jobId: string): Promise<void> {
  const kept = await tx.exportRuns.listKept(jobId)
  for (const run of kept.slice(MAX_KEPT)) await tx.exportRuns.update({ ...run, keptUntil: null })
}

/** Removes files that are no longer kept. `busy`: running runs. */
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
    // The order matters: a run that ends meanwhile is among the kept ones. Runs of a killed server still count as running for a
    // while.
    const going = busy()
    const running = await store.read.exportRuns.listRunning()
    const kept = await store.read.exportRuns.listKept()
    return new Set([...going, ...[...running, ...kept].map(({ id }) => id)])
  })
}
