// Where people are at the moment: the limits of presence. Contract 5 §8.

/** Milliseconds after which a person is no longer there. */
export const PRESENCE_LASTS = 45_000
/** Seconds between two requests of one console. */
export const PRESENCE_EVERY = 20
/** Records that one request asks about. */
export const MAX_SEEN_RECORDS = 100
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
