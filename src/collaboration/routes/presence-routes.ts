// The endpoint of presence, and its shapes. Contract 5 §8.
import * as v from 'valibot'
import { route } from '../../http/route.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Alias, Id, listOf } from '../../kernel/input/validation.ts'
import { MAX_SEEN_RECORDS } from '../rules/present-person.ts'

export const PresenceInput = exactObject({
  recordId: v.optional(v.pipe(v.nullable(Id), v.description('Where you are. Default: nowhere.'))),
  attributeAlias: v.optional(
    v.pipe(v.nullable(Alias), v.description('The attribute that you look at or edit. Default: the whole record.')),
  ),
  recordIds: v.optional(
    v.pipe(listOf(Id, MAX_SEEN_RECORDS), v.description('Records in view, whose people you want to know.')),
  ),
})

export const PresenceShape = v.object({
  items: v.pipe(
    v.array(
      v.object({
        recordId: v.string(),
        attributeAlias: v.pipe(
          v.nullable(v.string()),
          v.description('null: at the whole record, or at an attribute that your role may not read.'),
        ),
        person: v.object({ id: v.string(), name: v.string() }),
      }),
    ),
    v.description('Other people at these records, at most 200.'),
  ),
  every: v.pipe(v.number(), v.description('Seconds until the next request.')),
})

export const presenceRoutes = [
  route({
    id: 'presence.put',
    endpoint: 'PUT /api/v1/presence',
    summary: 'Say at which record you are, and learn who else is at records in view',
    description:
      'For people, every 20 seconds while a page is visible; a person is forgotten after 45 seconds. Without `recordId` you are nowhere, and still learn of others. Nothing is stored on disk, and at most 60 requests of one person in a minute are answered.',
    access: 'records.read',
    body: PresenceInput,
    responses: { 200: PresenceShape },
    errors: ['RATE_LIMITED'],
    handler: ({ caller, body, services }) => services.presence.put(caller, body),
  }),
]
