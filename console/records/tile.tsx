// One picture of the wall, drawn again only after its own changes.
import { Component } from 'preact'
import { own } from '../../src/kernel/own.ts'
import { Thumb } from '../kit/thumb.tsx'
import type { RecordRow } from './rows.ts'

interface TileProps {
  readonly id: string
  readonly index: number
  readonly column: number
  readonly width: number
  /** Undefined: the record has not been read. */
  readonly row: RecordRow | undefined
  readonly label: string
  readonly isSelected: boolean
  readonly isCursor: boolean
  readonly events: {
    readonly onPoint: (index: number) => void
    readonly onOpen: (index: number) => void
    readonly onToggle: (index: number, isRange: boolean) => void
  }
}

export class Tile extends Component<TileProps> {
  override shouldComponentUpdate(next: Readonly<TileProps>): boolean {
    const before = this.props as unknown as Readonly<Record<string, unknown>>
    return Object.entries(next).some(([name, value]) => name !== 'children' && value !== own(before, name))
  }

  override render({ id, index, column, width, row, label, isSelected, isCursor, events }: TileProps) {
    const image = row?.record.image
    return (
      // Keys are those of the grid, which keeps the focus.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
      <div
        id={id}
        class="tile"
        role="gridcell"
        aria-colindex={column + 1}
        aria-selected={isSelected}
        data-row={index}
        data-cursor={isCursor ? '' : undefined}
        data-state={row?.state}
        style={{ width: `${width}px` }}
        onClick={(event) => {
          events.onPoint(index)
          if (event.target instanceof Element && event.target.closest('[data-handle]') !== null)
            events.onToggle(index, event.shiftKey)
        }}
        onDblClick={() => events.onOpen(index)}
      >
        {image ? <Thumb picture={image} /> : <span class="thumb" />}
        <span class="tile-name">
          <span class="sheet-handle" data-handle="">
            <span class="sheet-check" />
          </span>
          <span class="sheet-text" dir="auto">
            {label}
          </span>
        </span>
      </div>
    )
  }
}
