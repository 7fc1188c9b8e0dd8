// The visible rows and columns of a large sheet, and their positions. Pure: pixels in, pixels out.

/** Heights of a row in pixels. */
export const ROW_HEIGHTS = { tight: 28, normal: 32, loose: 40 } as const

/**
 * Browsers cut off elements that are taller than some tens of millions of pixels. Above this height the scrollbar is
 * scaled.
 */
export const TALLEST = 8_000_000

/** A list of rows, and the size of its visible part. */
export interface Extent {
  readonly rows: number
  readonly rowHeight: number
  /** Height of the visible part in pixels. */
  readonly view: number
}

/** `top` is the first visible pixel of the whole list; `scrollTop` is the position of the browser's scrollbar. */
export interface Place {
  readonly top: number
  readonly scrollTop: number
}

export const AT_THE_TOP: Place = { top: 0, scrollTop: 0 }

/** The height of the scrolled element. */
export function heightOf({ rows, rowHeight }: Extent): number {
  return Math.min(rows * rowHeight, TALLEST)
}

/** Pixels of the list per pixel of the scrollbar. */
function scaleOf(extent: Extent): number {
  const height = heightOf(extent)
  const hidden = height - extent.view
  const isScaled = extent.rows * extent.rowHeight > height && hidden > 0
  return isScaled ? (extent.rows * extent.rowHeight - extent.view) / hidden : 1
}

function lastTop({ rows, rowHeight, view }: Extent): number {
  return Math.max(0, rows * rowHeight - view)
}

function clampTop(top: number, extent: Extent): number {
  return Math.min(Math.max(0, top), lastTop(extent))
}

/**
 * Returns the position of the list after the browser has scrolled. With a scaled scrollbar, a wheel still moves the
 * list by the wheel's own pixels. Only a move of more than a screen counts as a jump. Both ends can always be reached.
 */
export function scrolledTo(place: Place, scrollTop: number, extent: Extent): Place {
  const scale = scaleOf(extent)
  if (scale === 1) return { top: clampTop(scrollTop, extent), scrollTop }
  if (scrollTop <= 0) return { top: 0, scrollTop }
  if (scrollTop >= heightOf(extent) - extent.view - 1) return { top: lastTop(extent), scrollTop }
  const moved = scrollTop - place.scrollTop
  const top = Math.abs(moved) <= extent.view ? place.top + moved : scrollTop * scale
  return { top: clampTop(top, extent), scrollTop }
}

/** The place with `top`, and the matching position of the scrollbar. */
export function placeAt(top: number, extent: Extent): Place {
  const clamped = clampTop(top, extent)
  return { top: clamped, scrollTop: Math.round(clamped / scaleOf(extent)) }
}

/** Returns the nearest position at which `row` is fully visible. */
export function reveal(place: Place, row: number, extent: Extent): Place {
  const start = row * extent.rowHeight
  const end = start + extent.rowHeight
  if (start < place.top) return placeAt(start, extent)
  if (end > place.top + extent.view) return placeAt(end - extent.view, extent)
  return place
}

/** Both ends included; in an empty span, `last` is less than `first`. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** The rows that are at least partly visible. */
export function rowsSeen({ top }: Place, { rows, rowHeight, view }: Extent): Span {
  return {
    first: Math.min(Math.floor(top / rowHeight), Math.max(0, rows - 1)),
    last: Math.min(Math.ceil((top + view) / rowHeight), rows) - 1,
  }
}

/**
 * Returns the rows to draw: the visible rows, with `margin` on both sides. Their number is constant: each element that
 * leaves the view gets exactly one new row.
 */
export function rowsDrawn({ first }: Span, margin: number, { rows, rowHeight, view }: Extent): Span {
  const count = Math.min(rows, Math.ceil(view / rowHeight) + 1 + 2 * margin)
  const from = Math.max(0, Math.min(first - margin, rows - count))
  return { first: from, last: from + count - 1 }
}

/** Returns the left edge of each column, then the total width. */
export function edgesOf(widths: readonly number[]): readonly number[] {
  const edges = [0]
  for (const width of widths) edges.push(edges.at(-1)! + width)
  return edges
}

/** The columns that are at least partly visible from `left` on, `view` pixels wide. */
export function columnsSeen(edges: readonly number[], left: number, view: number): Span {
  const count = edges.length - 1
  const first = Math.min(Math.max(0, indexAt(edges, left)), Math.max(0, count - 1))
  const last = Math.min(indexAt(edges, left + Math.max(0, view - 1)), count - 1)
  return { first, last }
}

/** The index of the last edge that is not right of `x`. */
function indexAt(edges: readonly number[], x: number): number {
  let low = 0
  let high = edges.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (edges[middle]! <= x) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the scroll position that makes the column visible beside `pinned` pixels of pinned columns. */
export function revealColumn(
  left: number,
  column: number,
  edges: readonly number[],
  { pinned, view }: { readonly pinned: number; readonly view: number },
): number {
  const start = edges[column]! - pinned
  const end = edges[column + 1]! - view
  if (start < left) return Math.max(0, start)
  return end > left ? Math.min(start, end) : left
}
