// Endpoints that take many operations on records at once, and that check values without writing. Contract 3 §2, 3 §10.
import type * as v from 'valibot'
import type { Operation, OperationOutcome } from '../record-batch.ts'
import { answering } from '../../../http/answers/replies.ts'
import { STATUS_OF_ERROR } from '../../../http/answers/error-replies.ts'
import { route } from '../../../http/route.ts'
import { BatchBody, BatchResultShape, type OperationShape, readIfMatch } from './batch-shapes.ts'
import { RecordCheckShape, RecordCheckBody } from '../rules/record-issues.ts'

export const recordBatchRoutes = [
  route({
    id: 'records.batch',
    endpoint: 'POST /api/v1/records/batch',
    summary: 'Apply up to 1,000 operations to records, in order, all or nothing',
    description:
      'An operation has `op`, the `id` of the record, and the members of the body of its own endpoint. It can name a record that an earlier operation created. It needs the permission of its own endpoint. If an operation fails, nothing is changed, and the answer is its error with its index. With `atomic: false`, each operation stands alone. A malformed body is 400 either way.',
    access: 'authenticated',
    body: BatchBody,
    responses: { 200: BatchResultShape },
    errors: ['PERMISSION_DENIED', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'LIMIT_EXCEEDED', 'TRANSITION_ERROR'],
    hasOwnConditions: true,
    handler: async ({ caller, body: { atomic, operations }, services }) => {
      const batch = { atomic, operations: operations.map(toOperation) }
      return toResults(await services.recordBatch.run(answering(caller, toResults), batch))
    },
  }),
]

function toResults(outcomes: readonly OperationOutcome[]) {
  return { results: outcomes.map(toResult) }
}

function toOperation(operation: v.InferOutput<typeof OperationShape>): Operation {
  return operation.op === 'create' ? operation : { ...operation, ifMatch: readIfMatch(operation.ifMatch) }
}

function toResult(outcome: OperationOutcome, index: number) {
  if (outcome.kind === 'done') {
    const { op, id, version } = outcome
    return { index, status: statusOf(op), id, ...(version === undefined ? {} : { version }) }
  }
  const { id, error, message } = outcome
  return { index, status: STATUS_OF_ERROR[error], ...(id === undefined ? {} : { id }), error, message }
}

function statusOf(op: Operation['op']): number {
  if (op === 'create') return 201
  return op === 'delete' ? 204 : 200
}

export const recordCheckRoutes = [
  route({
    id: 'records.validate',
    endpoint: 'POST /api/v1/records/validate',
    summary: 'Check values and report all issues; nothing is written',
    description:
      'The issues are the reasons why a write would be refused, by attribute and scope. They include missing values that the state requires. An invalid value counts as missing. For attributes that the role may not read, the only issue is `permission`. With a `schemaId` and the `id` of no record, the values belong to a new record with that ID.',
    access: 'records.read',
    body: RecordCheckBody,
    responses: { 200: RecordCheckShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, body, services, request: { signal } }) => services.recordCheck.check(caller, body, signal),
  }),
]
