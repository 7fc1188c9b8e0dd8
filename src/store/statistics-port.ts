// Counts of days: part of `port.ts`.
import type { DayCount, Traffic } from '../statistics/rules/day-count.ts'

export interface TrailPlace {
  readonly sequence: number
  /** ISO 8601. */
  readonly timestamp: string
}

export interface TrafficPiece {
  readonly traffic: readonly Traffic[]
  /** The last entry of the piece; undefined: the piece is empty. */
  readonly through: number | undefined
}

export interface DayCountReads {
  get(schemaId: string, day: string): Promise<DayCount | undefined>
  /** Both days included, in order. */
  list(schemaId: string, from: string, to: string): Promise<DayCount[]>
  /** The last entry of the audit trail that a stored day counts; undefined: no day is stored. */
  through(): Promise<number | undefined>
  /** Counts up to `limit` entries of the audit trail after `sequence`. */
  trafficAfter(sequence: number, limit: number): Promise<TrafficPiece>
  /** Returns the first entry of the audit trail with this or a later sequence. */
  entryFrom(sequence: number): Promise<TrailPlace | undefined>
}

export interface DayCountWrites {
  /** Replaces the day. `through`: as of `DayCountReads`. */
  put(day: DayCount, through: number): Promise<void>
  /**
   * Deletes up to `limit` rows of earlier days, if a later day stores the position of the count. Resolves to the number
   * of deleted rows.
   */
  deleteBefore(day: string, limit: number): Promise<number>
}
