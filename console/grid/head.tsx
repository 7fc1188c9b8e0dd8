// The heads of a sheet's columns: name, scope, sort order, width. G7.
import { HANDLE_WIDTH } from './sheet-state.ts'

export interface HeadColumn {
  readonly key: string
  readonly title: string
  /** The scope of the column. */
  readonly detail: string
  readonly width: number
  readonly align: 'start' | 'end'
  readonly sorted?: 'asc' | 'desc' | undefined
  readonly isReadOnly?: boolean
}

export interface HeadProps {
  readonly columns: readonly HeadColumn[]
  readonly edges: readonly number[]
  readonly pinned: number
  readonly firstColumn: number
  readonly lastColumn: number
  readonly selection: 'none' | 'some' | 'all'
  readonly words: { readonly column: string; readonly selectAll: string; readonly readOnly: string }
  readonly onSelectAll: () => void
  readonly onMenu: (column: number, anchor: HTMLElement) => void
  readonly onResize: (column: number, width: number) => void
}

const NARROWEST = 56
const WIDEST = 800

export function SheetHead(props: HeadProps) {
  const { edges, pinned, firstColumn, lastColumn, selection, words, onSelectAll } = props
  const span = (first: number, last: number) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (
      <Head key={props.columns[first + at]!.key} at={first + at} {...props} />
    ))
  return (
    <div class="sheet-head" role="row" aria-rowindex={1} style={{ width: `${HANDLE_WIDTH + edges.at(-1)!}px` }}>
      <div class="sheet-handle" role="columnheader" aria-colindex={1} data-selection={selection}>
        <button
          type="button"
          class="sheet-all"
          tabIndex={-1}
          aria-label={words.selectAll}
          title={words.selectAll}
          onClick={onSelectAll}
        >
          <span class="sheet-check" />
        </button>
      </div>
      {span(0, pinned - 1)}
      <div
        role="presentation"
        style={{ width: `${Math.max(0, edges[firstColumn]! - edges[pinned]!)}px`, flex: 'none' }}
      />
      {span(firstColumn, lastColumn)}
    </div>
  )
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

function Head({ at, columns, edges, pinned, words, onMenu, onResize }: HeadProps & { readonly at: number }) {
  const { title, detail, width, align, sorted, isReadOnly = false } = columns[at]!
  const isPinned = at < pinned
  return (
    <div
      class={isPinned ? 'sheet-title sheet-pinned' : 'sheet-title'}
      role="columnheader"
      aria-colindex={at + 2}
      aria-sort={sorted && ARIA_SORT[sorted]}
      data-align={align}
      style={{ width: `${width}px`, ...(isPinned ? { left: `${HANDLE_WIDTH + edges[at]!}px` } : {}) }}
    >
      <button
        type="button"
        class="sheet-menu"
        tabIndex={-1}
        aria-haspopup="menu"
        title={[title, detail, isReadOnly ? words.readOnly : ''].filter(Boolean).join(' · ')}
        onClick={(event) => onMenu(at, event.currentTarget)}
      >
        <span class="unseen">{words.column}</span>
        <span class="sheet-name">{title}</span>
        <span class="sheet-scope">{detail}</span>
        {sorted !== undefined && <span class="sheet-sorted" data-sorted={sorted} aria-hidden="true" />}
      </button>
      <div
        class="sheet-grip"
        aria-hidden="true"
        onPointerDown={(event) => beginResize(event, width, (wide) => onResize(at, wide))}
      />
    </div>
  )
}

function beginResize(event: PointerEvent, width: number, resize: (width: number) => void): void {
  const grip = event.currentTarget as HTMLElement
  const from = event.clientX
  event.preventDefault()
  grip.setPointerCapture(event.pointerId)
  const move = ({ clientX }: PointerEvent): void =>
    resize(Math.min(WIDEST, Math.max(NARROWEST, Math.round(width + clientX - from))))
  grip.addEventListener('pointermove', move)
  grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', move), { once: true })
}
