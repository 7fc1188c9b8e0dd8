// The types by which a sheet uses groups of rows. The place of groups implements these types; a grouped sheet loads the place.
import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Values } from '../../src/core/records/rules/record.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Console } from '../state/console.ts'
import type { SheetState } from './sheet-state.ts'
import type { CellRange } from './cursor.ts'
import type { PlacedText } from './paste.ts'
import type { PageAnswer, PageQuestion, PageStore, RowStore } from './page-store.ts'

/** The column whose values divide the rows. */
export type GroupBy =
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly scope: Scope }
  | { readonly kind: 'field'; readonly field: GroupField; readonly workflowId: string }
  /** Groups by the highest categories of a catalog. */
  | { readonly kind: 'catalog'; readonly catalogId: string }

export type GroupField = 'lifecycleStateId' | 'createdBy' | 'updatedBy'

export interface RowGroup {
  readonly key: string
  /** The value; null: records without a value. */
  readonly value: string | null
  /** True: the group contains the records of all values without a separate group. */
  readonly isRest: boolean
  /** The name of a referenced record or of a person; undefined: the model contains the name. */
  readonly label?: string | undefined
  readonly count: number
  /** Mean percentage; null: no record has a score; undefined: still unknown. */
  readonly completeness?: number | null | undefined
  readonly criterion: Criterion
}

/** The members of a record by which rows are grouped. */
export interface GroupedRecord {
  readonly id: string
  readonly lifecycleStateId: string
  readonly createdBy: string
  readonly updatedBy: string
  readonly values: Values
  readonly effectiveValues?: Values | undefined
}

export interface GroupHost<Row> {
  readonly console: Console
  readonly by: GroupBy
  readonly schemaId: string
  readonly selection: () => Selection
  /** Returns whether the groups are in descending order. */
  readonly isDown: () => boolean
  /** The scope in which the completeness of a group counts. */
  readonly scope: () => Scope
  readonly readRows: (criterion: Criterion, page: PageQuestion, stop: AbortSignal) => Promise<PageAnswer<Row>>
  readonly newPages: (
    read: (page: PageQuestion, stop: AbortSignal) => Promise<PageAnswer<Row>>,
    changed: () => void,
  ) => PageStore<Row>
  /** Marks whether the row moves to another group at the next read. The same row: nothing changes. */
  readonly markMoving: (row: Row, isMoving: boolean) => Row
  readonly isMoving: (row: Row) => boolean
  readonly recordOf: (row: Row) => GroupedRecord
  readonly changed: () => void
  readonly failed: (error: unknown) => void
  /** The sheet whose folds are stored. */
  readonly foldsOf: string
}

export interface GroupRows<Row> extends RowStore<Row> {
  /** Returns the group of a row, or of its head. */
  groupAt(index: number): RowGroup | undefined
  readonly groups: readonly RowGroup[]
  /** Returns the group of a row, and the number of its records before the row. */
  placeOf(index: number): { readonly part: number; readonly row: number }
  /** Returns the row of a record of an unfolded group. */
  rowOf(part: number, row: number): number
  /** The row of the group's head. */
  headOf(key: string): number | undefined
  isFolded(key: string): boolean
  fold(key: string, isFolded: boolean): void
  foldAll(isFolded: boolean): void
  /** Adds groups for further values; undefined: no values are left, or the sheet has too many groups. */
  readonly more: (() => void) | undefined
  /** The rows that go to another group when the rows are read again. */
  moving(): readonly number[]
  /** Reads the completeness of the groups again, in the present scope. */
  score(): void
}

export interface HeadRow {
  readonly index: number
  readonly top: number
  readonly height: number
  readonly width: number
  readonly columns: number
  /** The ID of the active cell, if the cursor is in this row. */
  readonly cellId: string | undefined
  readonly isSelected: boolean
}

export interface MovesHost<Row> {
  readonly groups: GroupRows<Row>
  readonly sheet: SheetState
  readonly revision: ReadonlySignal<number>
  readonly idOf: (row: Row) => string
}

export interface Fill {
  readonly axis: 'down' | 'right'
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  /**
   * The number of first cells of each line, from which the others are filled; undefined: those until the first empty
   * cell.
   */
  readonly source: number | undefined
  /** True: lines continue a series; false: lines repeat their first cells. */
  readonly isSeries: boolean
  /** The text of a cell; undefined: the cell is not loaded. */
  readonly textOf: (row: number, column: number) => string | undefined
  /** The decimal sign of the locale. */
  readonly decimal: string
}

export interface FillHost {
  /** The sheet on the page. */
  readonly element: HTMLElement
  readonly sheet: SheetState
  /** Fills the range from the cells of `source`. @param isOther series instead of copies, or the reverse */
  readonly fill: (source: CellRange, isOther: boolean) => void
}

/** Tools of a sheet that are loaded on first use. */
export interface GroupTools {
  /** Returns the texts of the filled cells; undefined: a cell that the fill begins with is not loaded. */
  fillTexts(fill: Fill): readonly PlacedText[] | undefined
  /** Fills the cells over which the pointer is dragged from now on. */
  followFill(host: FillHost): void
  makeRows<Row>(host: GroupHost<Row>): GroupRows<Row>
  /** Returns a function that ends this. */
  followMoves<Row>(host: MovesHost<Row>): () => void
  drawHead(
    row: HeadRow & {
      readonly group: RowGroup
      readonly isFolded: boolean
      readonly by: GroupBy
      /** Adds groups for further values. */
      readonly onMore: (() => void) | undefined
    },
  ): ComponentChild
}
