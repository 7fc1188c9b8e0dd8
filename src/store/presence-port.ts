// Where people are at the moment: part of `port.ts`. Contract 5 §8.
import type { Presence } from '../collaboration/rules/present-person.ts'

/** Where people are. A person is at one place at a time, for 45 seconds. */
export interface Presences {
  put(presence: Presence): Promise<void>
  leave(userId: string): Promise<void>
  /** The people at these records, `limit` at most. */
  among(recordIds: readonly string[], limit: number): Promise<Presence[]>
}
