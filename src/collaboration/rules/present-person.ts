// Where people are at the moment: the limits of presence. Contract 5 §8.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Id, Alias, listOf, type OutputOf } from '../../kernel/input/validation.ts'

/** Milliseconds after which a person is no longer there. */
export const PRESENCE_LASTS = 45_000
/** Seconds between two requests of one console. */
export const PRESENCE_EVERY = 20
/** Records that one request asks about. */
const MAX_SEEN_RECORDS = 100
/** People in one answer. */
export const MAX_SHOWN_PEOPLE = 200
/** People that a server remembers; the one who came first is forgotten. */
export const MAX_PRESENT = 10_000
/** Requests of one person in a minute: many tabs, and no flood. */
export const MAX_PER_MINUTE = 60

export interface Presence {
  readonly userId: string
  readonly recordId: string
  /** null: at the record as a whole. */
  readonly attributeAlias: string | null
}

export const PresenceInput = exactObject({
  recordId: v.optional(v.pipe(v.nullable(Id), v.description('Where you are. Default: nowhere.'))),
  attributeAlias: v.optional(
    v.pipe(v.nullable(Alias), v.description('The attribute that you look at or edit. Default: the whole record.')),
  ),
  recordIds: v.optional(
    v.pipe(listOf(Id, MAX_SEEN_RECORDS), v.description('Records in view, whose people you want to know.')),
  ),
})
export type PresenceInput = OutputOf<typeof PresenceInput>
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
export type PresenceAnswer = OutputOf<typeof PresenceShape>
