// Erasing the history of one record for good: the entry that says so, behind which nothing of the record can be read. Contract 3 §3.
import { conflict, notFound, PimletError } from '../../kernel/errors.ts'
import { ERASURE_STAGES, type ErasedHistory } from '../../core/records/rules/erased-history.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import type { HistoryEraser } from './history-eraser.ts'
import { assertMatches, type IfMatch } from '../../core/records/precondition.ts'
import { appendAudit } from '../../core/records/record-writing.ts'

interface ErasureRequest {
  readonly id: string
  readonly ifMatch: IfMatch
}

export function createHistoryErasureService(deps: { store: Store; system: System; eraser: HistoryEraser }) {
  const { store, system, eraser } = deps
  return {
    /**
     * Resolves when no earlier value of the record can be read any more: to its version then, of a deleted one that of the entry.
     * @throws NOT_FOUND for a record that there never was, or of which nothing is kept; PRECONDITION_FAILED; CONFLICT while a bulk
     * job or an import is under way
     */
    async erase(caller: Caller, request: ErasureRequest): Promise<number> {
      const erasure = await store.transaction((tx) => beginErasure(tx, system, caller, request))
      await eraser.finish(erasure)
      return erasure.sequence
    },
  }
}

export type HistoryErasureService = ReturnType<typeof createHistoryErasureService>

/** Throws as `erase` does. */
async function beginErasure(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, ifMatch }: ErasureRequest,
): Promise<ErasedHistory> {
  const record = await tx.records.get(id)
  const schemaId = record?.schemaId ?? (await schemaOfDeleted(tx, id))
  if (record !== undefined) assertMatches(ifMatch, record.version)
  else if (ifMatch !== undefined)
    throw new PimletError('PRECONDITION_FAILED', `If-Match names a version, but the record '${id}' is deleted`)
  await assertNoJob(tx)
  const requestedAt = system.now().toISOString()
  const entry = { recordId: id, schemaId, action: 'erase', changes: [], timestamp: requestedAt } as const
  const sequence = appendAudit(tx, system, caller, entry)
  if (record !== undefined) await tx.records.update(record, { ...record, version: sequence })
  const erasure = { id: system.newId('era'), recordId: id, sequence, requestedAt, left: ERASURE_STAGES }
  await tx.erasures.insert(erasure)
  return erasure
}

/** @throws NOT_FOUND */
async function schemaOfDeleted({ audit }: Pick<Transaction, 'audit'>, id: string): Promise<string> {
  const { entries } = await audit.readTrail(id, { limit: 1 })
  if (entries[0] === undefined) throw notFound('Record', id)
  return entries[0].schemaId
}

/** What a job that goes on has read of the record it would write down after the erasing. @throws CONFLICT */
async function assertNoJob({ bulkJobs }: Pick<Transaction, 'bulkJobs'>): Promise<void> {
  const job = (await bulkJobs.listOpen()).find(({ kind }) => kind === 'bulk' || kind === 'import')
  if (job === undefined) return
  const message = `The job '${job.id}' (${job.kind}) is under way and may hold values of the record: try again when it has ended`
  throw conflict(message)
}
