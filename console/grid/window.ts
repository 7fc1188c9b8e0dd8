// Which rows and columns of a large sheet are on the screen, and where. Pure: pixels in, pixels out.

/** Pixels of a row. */
export const ROW_HEIGHTS = { tight: 28, normal: 32, loose: 40 } as const

/** Browsers cut elements that are taller than some tens of millions of pixels: from here on the scrollbar is scaled. */
export const TALLEST = 8_000_000

/** A list of rows, and how much of it is seen at once. */
export interface Extent {
  readonly rows: number
  readonly rowHeight: number
  /** Pixels that rows are seen in. */
  readonly view: number
}

/** `top` is the pixel of the whole list that is uppermost; `scrollTop` is where the browser's scrollbar stands. */
export interface Place {
  readonly top: number
  readonly scrollTop: number
}

export const AT_THE_TOP: Place = { top: 0, scrollTop: 0 }

/** What the element that is scrolled has to be tall. */
export function heightOf({ rows, rowHeight }: Extent): number {
  return Math.min(rows * rowHeight, TALLEST)
}

/** Pixels of the list for one of the scrollbar. */
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
 * Where the list is after the browser has scrolled. Where the scrollbar is scaled, a wheel still moves as many pixels as it says:
 * only what goes further than a screen is taken for a jump. Both ends are always reached.
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

/** The place with `top`, and the scrollbar where that belongs. */
export function placeAt(top: number, extent: Extent): Place {
  const clamped = clampTop(top, extent)
  return { top: clamped, scrollTop: Math.round(clamped / scaleOf(extent)) }
}

/** The nearest place at which all of `row` is seen. */
export function reveal(place: Place, row: number, extent: Extent): Place {
  const start = row * extent.rowHeight
  const end = start + extent.rowHeight
  if (start < place.top) return placeAt(start, extent)
  if (end > place.top + extent.view) return placeAt(end - extent.view, extent)
  return place
}

/** Both included; `last` is less than `first` where there are none. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** The rows of which something is seen. */
export function rowsSeen({ top }: Place, { rows, rowHeight, view }: Extent): Span {
  return {
    first: Math.min(Math.floor(top / rowHeight), Math.max(0, rows - 1)),
    last: Math.min(Math.ceil((top + view) / rowHeight), rows) - 1,
  }
}

/**
 * The rows that are drawn: those that are seen, with `margin` on both sides. Wherever the list stands they are as many, so that an
 * element that is used for another row is used for no third one.
 */
export function rowsDrawn({ first }: Span, margin: number, { rows, rowHeight, view }: Extent): Span {
  const count = Math.min(rows, Math.ceil(view / rowHeight) + 1 + 2 * margin)
  const from = Math.max(0, Math.min(first - margin, rows - count))
  return { first: from, last: from + count - 1 }
}

/** The left edge of each column, and at the end the width of all. */
export function edgesOf(widths: readonly number[]): readonly number[] {
  const edges = [0]
  for (const width of widths) edges.push(edges.at(-1)! + width)
  return edges
}

/** The columns of which something is seen from `left` on, `view` pixels wide. */
export function columnsSeen(edges: readonly number[], left: number, view: number): Span {
  const count = edges.length - 1
  const first = Math.min(Math.max(0, indexAt(edges, left)), Math.max(0, count - 1))
  const last = Math.min(indexAt(edges, left + Math.max(0, view - 1)), count - 1)
  return { first, last }
}

/** The last edge that is not right of `x`. */
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

/** How far to the left the sheet has to stand for the column to be seen, beside `pinned` pixels of columns that stay. */
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
