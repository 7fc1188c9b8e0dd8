// The endpoint that says all that is wrong with values before they are written. Contract 3 §2.
import { RecordCheckBody, RecordCheckShape } from './record-shapes.ts'
import { route } from '../../../http/route.ts'

export const recordCheckRoutes = [
  route({
    id: 'records.validate',
    method: 'POST',
    path: '/api/v1/records/validate',
    summary: 'Say all that is wrong with values, and write nothing',
    description:
      'What a write would refuse, attribute by attribute and scope by scope, and what the state requires and the record lacks. A value that is at fault counts as not given. Of attributes that the role may not read only `permission` is said. With the `id` of no record and a `schemaId` the values are those of a new record with that ID.',
    access: 'records.read',
    body: RecordCheckBody,
    responses: { 200: RecordCheckShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, body, services, request: { signal } }) => services.recordCheck.check(caller, body, signal),
  }),
]
