// The state of a sheet: scroll position, cursor cell, editing. Signals, and no DOM.
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import type { EditorKind } from '../fields/field.ts'
import { isTouch, TARGET } from '../kit/touch.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { type Cell, clampCell, type Move, moveCell, rangeOf, type SheetSize } from './cursor.ts'
import {
  AT_THE_TOP,
  columnsSeen,
  edgesOf,
  type Extent,
  type Place,
  placeAt,
  reveal,
  revealColumn,
  rowsDrawn,
  rowsSeen,
  scrolledTo,
} from './window.ts'

/** Pixels: width of the column that selects rows, height of the row of heads. */
export const HANDLE_WIDTH = isTouch ? TARGET : 36
export const HEAD_HEIGHT = 44
/** Rows and pixels that are drawn beyond the visible area. */
const ROW_MARGIN = 4
const COLUMN_MARGIN = 240
/** Largest share of the view for pinned columns, so that other columns keep room. */
const MOST_PINNED = 0.6

interface SheetLayout {
  readonly rows: number
  readonly rowHeight: number
  readonly widths: readonly number[]
  /** The number of columns that stay at the left. */
  readonly pinned: number
}

export interface Editing {
  readonly cell: Cell
  /** The kind of editor. In a sheet, a file is edited as the text of its hash. */
  readonly editor: Exclude<EditorKind, 'file'>
  /** The initial text of the editor. */
  readonly text: string
  /** The scopes that the value can be written to: first the cell's own scope, then wider scopes. */
  readonly scopes: readonly Scope[]
  /** The index of the chosen scope. */
  readonly chosen: number
}

export class SheetState {
  readonly layout = signal<SheetLayout>({ rows: 0, rowHeight: 32, widths: [], pinned: 0 })
  readonly #view = signal({ width: 0, height: 0 })
  readonly #place = signal<Place>(AT_THE_TOP)
  readonly #left = signal(0)
  readonly #cursor = signal<Cell>({ row: 0, column: 0 })
  readonly #anchor = signal<Cell>({ row: 0, column: 0 })
  readonly editing = signal<Editing | null>(null)
  readonly view: ReadonlySignal<{ readonly width: number; readonly height: number }> = this.#view
  readonly place: ReadonlySignal<Place> = this.#place
  readonly left: ReadonlySignal<number> = this.#left

  readonly extent = computed<Extent>(() => {
    const { rows, rowHeight } = this.layout.value
    return { rows, rowHeight, view: Math.max(0, this.#view.value.height - HEAD_HEIGHT) }
  })
  readonly edges = computed(() => edgesOf(this.layout.value.widths))
  /** Pixels of the pinned columns; a narrow view pins fewer columns. */
  readonly pinned = computed(() => {
    const room = this.#view.value.width * MOST_PINNED - HANDLE_WIDTH
    const edges = this.edges.value
    let count = Math.min(this.layout.value.pinned, edges.length - 1)
    while (count > 1 && edges[count]! > room) count -= 1
    return count
  })
  readonly cursor = computed(() => clampCell(this.#cursor.value, this.#size()))
  readonly range = computed(() => rangeOf(clampCell(this.#anchor.value, this.#size()), this.cursor.value))
  readonly seen = computed(() => rowsSeen(this.#place.value, this.extent.value))
  readonly drawn = computed(() => rowsDrawn(this.seen.value, ROW_MARGIN, this.extent.value))
  /** The columns after the pinned ones. */
  readonly drawnColumns = computed(() => {
    const edges = this.edges.value
    const pinned = this.pinned.value
    const from = Math.max(edges[pinned] ?? 0, this.#left.value + (edges[pinned] ?? 0) - COLUMN_MARGIN)
    const width = this.#view.value.width - HANDLE_WIDTH + 2 * COLUMN_MARGIN
    const { first, last } = columnsSeen(edges, from, width)
    return { first: Math.max(pinned, first), last }
  })

  #size(): SheetSize {
    const { rows, widths, rowHeight } = this.layout.value
    return { rows, columns: widths.length, page: Math.max(1, Math.floor(this.extent.value.view / rowHeight) - 1) }
  }

  resize(width: number, height: number): void {
    const { width: before, height: tall } = this.#view.peek()
    if (width !== before || height !== tall) this.#view.value = { width, height }
  }

  /** Called after the browser has scrolled. */
  scroll(scrollTop: number, left: number): void {
    batch(() => {
      if (scrollTop !== this.#place.peek().scrollTop)
        this.#place.value = scrolledTo(this.#place.peek(), scrollTop, this.extent.peek())
      this.#left.value = left
    })
  }

  /** On a scaled scrollbar, a wheel moves the bar less than the list. The bar is corrected once scrolling stops. */
  settle(): void {
    this.#place.value = placeAt(this.#place.peek().top, this.extent.peek())
  }

  scrollTo(top: number): void {
    this.#place.value = placeAt(top, this.extent.peek())
  }

  move(move: Move, isExtending = false): void {
    this.goTo(moveCell(this.cursor.peek(), move, this.#size()), isExtending)
  }

  /** Moves the cursor to the cell, and scrolls the cell into view. */
  goTo(cell: Cell, isExtending = false): void {
    const clamped = clampCell(cell, this.#size())
    batch(() => {
      this.#cursor.value = clamped
      if (!isExtending) this.#anchor.value = clamped
      this.reveal(clamped)
    })
  }

  selectRange(anchor: Cell, cursor: Cell): void {
    batch(() => {
      this.#anchor.value = anchor
      this.#cursor.value = cursor
    })
  }

  reveal({ row, column }: Cell): void {
    this.#place.value = reveal(this.#place.peek(), row, this.extent.peek())
    const edges = this.edges.peek()
    const pinned = this.pinned.peek()
    if (column < pinned || column >= edges.length - 1) return
    const view = this.#view.peek().width - HANDLE_WIDTH
    this.#left.value = revealColumn(this.#left.peek(), column, edges, { pinned: edges[pinned] ?? 0, view })
  }

  /** Chooses the next wider scope for the edited value; the first scope follows the widest. */
  widen(): void {
    const editing = this.editing.peek()
    if (editing !== null) this.editing.value = { ...editing, chosen: (editing.chosen + 1) % editing.scopes.length }
  }
}
