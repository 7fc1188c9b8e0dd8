// The only readers of clock and randomness. They are passed as arguments, so that tests can set both.
import { randomBytes, randomFillSync } from 'node:crypto'
import { setPriority } from 'node:os'

export interface System {
  now(): Date
  /** `<prefix>-<26 characters>`: 48 bits of time, then 80 random bits, so that IDs of later calls sort later. */
  newId(prefix: string): string
  randomBytes(count: number): Buffer
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.alloc(4096)
let used = pool.length

export const system: System = {
  now: () => new Date(),
  newId: (prefix) => `${prefix}-${timePart(Date.now())}${randomPart()}`,
  randomBytes,
}

/** Ten base-32 digits: milliseconds since 1970 in the form of a ULID (https://github.com/ulid/spec), in lower case. */
function timePart(milliseconds: number): string {
  let rest = milliseconds
  let text = ''
  for (let index = 0; index < 10; index += 1) {
    text = DIGITS[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Sixteen base-32 digits: 80 random bits. */
function randomPart(): string {
  if (used + 16 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = ''
  for (let index = 0; index < 16; index += 1) text += DIGITS[pool[used + index]! & 31]!
  used += 16
  return text
}

/** Answering requests comes first. On Linux a thread has a priority of its own; elsewhere all stay equal. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 10)
  } catch {
    // Not allowed here; then all threads are equal.
  }
}
