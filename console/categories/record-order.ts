// The order of a category's records, made by hand. C4.

interface ListedRecord {
  readonly id: string
}

/**
 * Returns the record after the new place; null: last. Undefined: no move is possible, or the next record is not read
 * yet.
 */
export function orderByKey(
  records: readonly ListedRecord[],
  id: string,
  key: string,
  hasMore: boolean,
): string | null | undefined {
  const at = records.findIndex((record) => record.id === id)
  if (at === -1) return undefined
  if (key === 'ArrowUp') return records[at - 1]?.id
  if (key !== 'ArrowDown' || at === records.length - 1) return undefined
  return records[at + 2]?.id ?? (hasMore ? undefined : null)
}

/** A dropped record takes the place of the target. */
export function orderByDrop(
  records: readonly ListedRecord[],
  id: string,
  target: string,
  hasMore: boolean,
): string | null | undefined {
  const [from, to] = [id, target].map((one) => records.findIndex((record) => record.id === one)) as [number, number]
  if (from === -1 || to === -1 || from === to) return undefined
  if (to < from) return target
  return records[to + 1]?.id ?? (hasMore ? undefined : null)
}

/** Returns the list after the move. */
export function reordered<Of extends ListedRecord>(
  records: readonly Of[],
  id: string,
  before: string | null,
): readonly Of[] {
  const moved = records.find((record) => record.id === id)
  if (moved === undefined) return records
  const others = records.filter((record) => record.id !== id)
  const at = before === null ? others.length : others.findIndex((record) => record.id === before)
  return others.toSpliced(at === -1 ? others.length : at, 0, moved)
}

/** Returns the next record; null: this record is the last. */
export function standsBefore(records: readonly ListedRecord[], id: string): string | null {
  return records[records.findIndex((record) => record.id === id) + 1]?.id ?? null
}
