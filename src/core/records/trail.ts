// Reads the trail of one record piece by piece: other work runs between two pieces.
import { pageSlices } from '../../kernel/turn-slices.ts'
import type { AuditReads, StoredAuditEntry, TrailFilter } from '../../store/audit-port.ts'

type TrailReads = Pick<AuditReads, 'readTrail' | 'findInTrail'>

/** The most entries that are read at once. */
const AT_ONCE = 100

interface TrailWalk extends TrailFilter {
  /** A sequence: only entries before it. */
  readonly before?: number | undefined
  /** The number of entries that the caller expects to read; undefined: many. */
  readonly expected?: number | undefined
}

/** Newest first. Ends silently when the signal aborts. */
export async function* walkTrail(
  audit: TrailReads,
  recordId: string,
  { before, expected = AT_ONCE, ...filter }: TrailWalk,
  signal?: AbortSignal,
): AsyncGenerator<StoredAuditEntry, void> {
  const limit = Math.min(expected, AT_ONCE)
  let next = before
  while (signal?.aborted !== true) {
    const piece = await audit.readTrail(recordId, { ...filter, before: next, limit })
    yield* piece.entries
    next = piece.next
    if (next === undefined) return
    await pageSlices.take()
  }
}

/**
 * Finds the sequence of an entry of the record; undefined: the record has no entry with this ID, or the signal ended
 * the search.
 */
export async function findSequence(
  audit: TrailReads,
  recordId: string,
  entryId: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  let before: number | undefined
  while (!signal.aborted) {
    const { found, next } = await audit.findInTrail(recordId, entryId, before)
    if (found !== undefined || next === undefined) return found
    before = next
    await pageSlices.take()
  }
  return undefined
}

/** Returns the approximate number of characters of the entry's values. */
export function sizeOf({ changes }: StoredAuditEntry): number {
  return changes.reduce((size, { oldValue, newValue }) => size + lengthOf(oldValue) + lengthOf(newValue) + 100, 0)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}
