// The order of the pictures in a list. Pure.

/** Returns the list with `id` at the index `to`; the same list: nothing moves. */
export function withMoved(ids: readonly string[], id: string, to: number): readonly string[] {
  const from = ids.indexOf(id)
  if (from < 0 || to < 0 || to >= ids.length || from === to) return ids
  return ids.toSpliced(from, 1).toSpliced(to, 0, id)
}

/** Returns the list with `id` at its end, unless the list contains `id`. */
export function withAdded(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id]
}

/** A point of a picture, from its upper left corner; each from 0 to 1. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Reads a point; undefined: the value is no point. */
export function pointOf(value: unknown): Point | undefined {
  const { x, y } = (value ?? {}) as Partial<Point>
  return isShare(x) && isShare(y) ? { x, y } : undefined
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** Returns the point within the picture, to a thousandth. */
export function pointAt(x: number, y: number): Point {
  const [across, down] = [x, y].map((share) => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000)
  return { x: across!, y: down! }
}
