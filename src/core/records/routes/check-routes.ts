// The endpoint that says all that is wrong with values before they are written. Contract 3 §2.
import { RecordCheckBody, RecordCheckShape } from './record-shapes.ts'
import { route } from '../../../http/route.ts'

export const recordCheckRoutes = [
  route({
    id: 'records.validate',
    method: 'POST',
    path: '/api/v1/records/validate',
    summary: 'Check values and report all issues; nothing is written',
    description:
      'The issues are the reasons why a write would be refused, by attribute and scope, and the values that the state requires. An invalid value counts as missing. For attributes that the role may not read, the only issue is `permission`. With a `schemaId` and the `id` of no record, the values belong to a new record with that ID.',
    access: 'records.read',
    body: RecordCheckBody,
    responses: { 200: RecordCheckShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, body, services, request: { signal } }) => services.recordCheck.check(caller, body, signal),
  }),
]
