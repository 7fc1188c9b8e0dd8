// A clock that tests can advance.
import { system, type System } from '../../src/kernel/machine/system.ts'

export interface TestClock extends System {
  /** Milliseconds. */
  advance(by: number): void
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** Starts at the present time, and stands still. */
export function makeClock(): TestClock {
  let now = Date.now()
  return {
    ...system,
    now: () => new Date(now),
    advance(by) {
      now += by
    },
  }
}
