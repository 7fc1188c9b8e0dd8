// The properties of the panels of a sheet.
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Console } from './console.ts'

/** A panel about one value of a record. */
export interface CellPanelProps {
  readonly recordId: string
  readonly schemaId: string
  readonly alias: string
  readonly scope: Scope
  /** The value stored in exactly this scope; null: none. */
  readonly value: unknown
  readonly mayWrite: boolean
  /** Called after a change: the list reads the record again. */
  readonly onChanged: () => void
  /** Writes the cell, with an undo step. */
  readonly onWrite?: (value: unknown) => void
  readonly onClose: () => void
}

/** Looks for open threads of the shown records, from now on. */
export interface ThreadsHost {
  readonly console: Console
  /** Returns the loaded records in view. */
  readonly shown: () => readonly string[]
  /** Receives the values with open threads of these records. */
  readonly mark: (
    recordIds: readonly string[],
    open: readonly { readonly recordId: string; readonly attributeAlias: string | null; readonly scope: Scope }[],
  ) => void
}

export interface ThreadsFollower {
  /** Looks again soon: other records are in view. */
  look(): void
  /** Looks at a record again. */
  again(recordId: string): void
  stop(): void
}

interface ViewEntry {
  readonly id: string
  readonly name: string
  readonly visibility: 'private' | 'shared'
  readonly createdBy: string
}

/** The saved views of a sheet. */
export interface ViewsPanelProps {
  readonly views: readonly ViewEntry[]
  readonly current: ViewEntry | undefined
  /** Whether the sheet differs from the current view. */
  readonly isChanged: boolean
  /** @param id undefined: no view */
  readonly onOpen: (id: string | undefined) => void
  readonly onCreate: (name: string, visibility: ViewEntry['visibility']) => Promise<void>
  readonly onSave: () => Promise<void>
  readonly onDelete: () => Promise<void>
  /** Called after the views have changed. */
  readonly onDone: () => void
}

/** The columns of a sheet, and the height of its rows. */
export interface ColumnsPanelProps {
  readonly columns: readonly {
    readonly key: string
    readonly name: string
    readonly detail: string
    readonly isShown: boolean
  }[]
  readonly height: 'short' | 'medium' | 'tall'
  readonly onToggle: (key: string, isShown: boolean) => void
  readonly onFirst: () => void
  readonly onHeight: (height: 'short' | 'medium' | 'tall') => void
}

/** A search within the cells of a sheet. */
export interface FindPanelProps {
  /** The text that was typed before the panel had loaded. */
  readonly text: string
  /** The shown columns; `scope`: the scope of their cells. */
  readonly columns: readonly (
    | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly scope: Scope }
    | { readonly kind: 'field'; readonly field: string }
  )[]
  /** Returns the rows, as lists one after another; no parts: one list. */
  readonly list: () => {
    readonly selection: Selection
    readonly sort: readonly SortKey[]
    readonly parts: readonly Criterion[]
  }
  /** The place of the cursor. */
  readonly from: () => { readonly part: number; readonly row: number }
  /** Moves to the cell of a hit. */
  readonly onGo: (hit: { readonly part: number; readonly row: number; readonly column: number }) => void
  readonly onClose: () => void
}

/** The choice of a column whose values divide the rows of a sheet. */
export interface GroupPanelProps {
  readonly options: readonly { readonly id: string; readonly name: string }[]
  readonly value: string | undefined
  readonly onChange: (id: string | undefined) => void
  readonly onFold: (isFolded: boolean) => void
  /** Undefined: every value has a group. */
  readonly onMore: (() => void) | undefined
}
