// Many operations on records in one request, in order: all or nothing, or each by itself. Contract 3 §2, 3 §10.
import { assertPermission } from '../accounts/rules/permissions.ts'
import { type ErrorCode, isRefusal, PimletError } from '../../kernel/errors.ts'
import { MAX_BATCH_SECONDS, PERMISSION_OF } from './rules/batch-operations.ts'
import type { LongTransaction, Store } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { moveRecord } from './taking-transition.ts'
import { pauseFor } from './limited-work.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { assignCategories, type CategoryStep, placesAfter } from './record-categories.ts'
import { patchRecord } from './record-values.ts'
import { findRecord } from './readable-records.ts'
import { createRecord, type NewRecord, removeRecord, updateRecord } from './records.ts'

interface OfRecord {
  readonly id: string
  readonly ifMatch?: IfMatch
}

export type Operation =
  | ({ readonly op: 'create' } & NewRecord)
  | ({ readonly op: 'update'; readonly values: unknown } & OfRecord)
  | ({ readonly op: 'patch'; readonly values: unknown; readonly expect?: unknown } & OfRecord)
  | ({ readonly op: 'delete' } & OfRecord)
  | ({ readonly op: 'transition'; readonly transitionId: string } & OfRecord)
  | (CategoryStep & OfRecord)

interface Batch {
  /** True: all or nothing; false: each operation succeeds or fails by itself. */
  readonly atomic: boolean
  readonly operations: readonly Operation[]
}

export type OperationOutcome =
  | { readonly kind: 'done'; readonly op: Operation['op']; readonly id: string; readonly version?: number }
  | { readonly kind: 'failed'; readonly id?: string | undefined; readonly error: ErrorCode; readonly message: string }

export function createRecordBatchService(deps: { store: Store; system: System; maxRecords: number }) {
  const { store } = deps
  return {
    /**
     * Returns the outcome of each operation, in order. An operation sees the writes of earlier operations.
     * @throws the error of the first failed operation, with its index, if the batch is atomic
     * @throws UNAVAILABLE if the batch exceeds its time
     */
    run: (caller: Caller, { atomic, operations }: Batch): Promise<OperationOutcome[]> =>
      store.longTransaction(async (tx) => {
        const pause = pauseFor(tx, {
          what: 'The batch',
          seconds: MAX_BATCH_SECONDS,
          advice: 'Send fewer operations at once.',
        })
        const outcomes: OperationOutcome[] = []
        for (const [index, operation] of operations.entries()) {
          await pause()
          const work = (): Promise<OperationOutcome> => perform(tx, deps, caller, operation, pause)
          outcomes.push(
            atomic
              ? await work().catch((error: unknown) => failWith(error, index))
              : await tx.attempt(work).catch((error: unknown) => describe(error, operation)),
          )
        }
        return keepAnswer(tx, caller, outcomes)
      }),
  }
}

function failWith(error: unknown, index: number): never {
  if (!isRefusal(error)) throw error
  throw new PimletError(error.code, `operations[${index}]: ${error.message}`, { cause: error })
}

function describe(error: unknown, { id }: Operation): OperationOutcome {
  if (!isRefusal(error)) throw error
  return { kind: 'failed', id, error: error.code, message: error.message }
}

async function perform(
  tx: LongTransaction,
  deps: { readonly system: System; readonly maxRecords: number },
  caller: Caller,
  operation: Operation,
  pause: () => Promise<void>,
): Promise<OperationOutcome> {
  const { op } = operation
  const permission = PERMISSION_OF[op]
  if (permission !== undefined) assertPermission(caller.role, permission)
  const record = await write(tx, deps, caller, operation, pause)
  if (record === undefined) return { kind: 'done', op, id: operation.id! }
  return { kind: 'done', op, id: record.id, version: record.version }
}

/** Runs one operation. Resolves to the record after the operation; undefined: the record is deleted. */
async function write(
  tx: LongTransaction,
  { system, maxRecords }: { readonly system: System; readonly maxRecords: number },
  caller: Caller,
  operation: Operation,
  pause: () => Promise<void>,
): Promise<StoredRecord | undefined> {
  if (operation.op === 'create') return createRecord(tx, system, caller, operation, maxRecords)
  const { id, ifMatch } = operation
  switch (operation.op) {
    case 'update':
      return updateRecord(tx, system, caller, { id, ifMatch, values: operation.values })
    case 'patch':
      return patchRecord(tx, system, caller, { id, ifMatch, values: operation.values, expect: operation.expect })
    case 'delete':
      await removeRecord(tx, system, caller, { id, ifMatch }, pause)
      return undefined
    case 'transition':
      return moveRecord(tx, system, caller, { id, ifMatch, transitionId: operation.transitionId }, pause)
    default: {
      const record = await findRecord(tx, id)
      assertMatches(ifMatch, record.version)
      const places = await placesAfter(tx, await tx.categories.assignmentsOf(id), operation, 'categories')
      return assignCategories(tx, system, caller, { record, places })
    }
  }
}
