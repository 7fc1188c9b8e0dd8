// The properties of the panels of places.
import type { ComponentChildren } from 'preact'
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Matrix } from '../../src/statistics/rules/completeness-matrix.ts'
import type { Query } from './cache.ts'
import type { PictureSchema } from './pictures.ts'

/** The loaded records in the order of their list: stored beside the address of a record. */
export interface RecordList {
  readonly ids: readonly string[]
  /** The index of the first of `ids` in the whole list, from 0. */
  readonly first: number
  readonly total: number
}

export interface RecordPanelProps {
  readonly recordId: string
  /** The surrounding list, for opening the record as a page. */
  readonly list?: (() => RecordList) | undefined
  /** The position in the list; undefined: unknown. */
  readonly place?: { readonly at: number; readonly total: number } | undefined
  /** Goes to the previous or next record of the list. */
  readonly onStep: (by: 1 | -1) => void
  readonly onClose: () => void
  /** Called after a write to the record: the list reads it again. */
  readonly onChanged: (recordId: string) => void
}

export interface BulkPanelProps {
  readonly selection: BulkSelection
  /** The number of records. */
  readonly count: number
  /** The chosen task: values, a transition, categories. */
  readonly task: BulkTaskName
  /** The value that the task begins with. */
  readonly target?: { readonly alias: string; readonly scope: Scope } | undefined
  readonly schemaId: string
  readonly onClose: () => void
  /** Called after a job has run: the list reads its records again. */
  readonly onDone: () => void
}

/** The question before many records are deleted. */
export interface DeletePanelProps {
  readonly selection: BulkSelection
  readonly count: number
  readonly onClose: () => void
  /** Called when the job has begun: the selection then ends. */
  readonly onBegun: () => void
  /** Called after the records are deleted, or restored by undo. */
  readonly onDone: () => void
}

export type BulkTaskName = 'edit' | 'move' | 'categories' | 'replace'

export const NO_CRITERIA: Selection = { criteria: [], criteriaOperator: 'and' }

/** Filters as a form field. */
export interface CriteriaPanelProps {
  readonly label: string
  /** '': no schema, so no attributes to filter by. */
  readonly schemaId: string
  readonly scope: Scope
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}

/** A change of one value of a record. */
interface ValueChange {
  readonly alias: string
  readonly scope: Scope
  /** null: the value is removed. */
  readonly value: unknown
  /** The value stored in exactly this scope; null: none. */
  readonly before: unknown
}

/** A list of pictures as the field of a record. */
export interface GalleryPanelProps {
  readonly attribute: Attribute
  readonly pictures: PictureSchema
  readonly ids: readonly string[]
  /** For the first input; undefined: the list is read-only. */
  readonly input?:
    | {
        readonly id: string
        readonly 'aria-describedby': string | undefined
        readonly 'aria-invalid': 'true' | undefined
      }
    | undefined
  /** Receives a function that changes the list at the time of the call; undefined: the list is read-only. */
  readonly onChange?: ((change: (ids: readonly string[]) => readonly string[]) => void) | undefined
  /** Saves a value of a picture at once, with an undo step. @param onDone called after each write */
  readonly save: (recordId: string, change: ValueChange, onDone: () => void) => Promise<void>
  /** The list as text. */
  readonly children?: ComponentChildren
}

/** Files that were dropped on a record of a list. */
export interface DroppedPanelProps {
  /** The label of the record. */
  readonly label: string
  readonly files: readonly File[]
  /** The image attribute of the record. */
  readonly attribute: Attribute
  /** Undefined: the attribute contains the file itself. */
  readonly pictures: PictureSchema | undefined
  /** Called when a picture record has been made. */
  readonly onPicture: (recordId: string) => void
  /** Called with the uploaded file, or the IDs of the made pictures. */
  readonly onMade: (made: readonly unknown[]) => void
  readonly onDone: () => void
}

/** The comments and assignments of a record. */
export interface CommentsPanelProps {
  readonly recordId: string
  readonly schemaId: string
}

/** The dialog that assigns records to a person. */
export interface AssignPanelProps {
  readonly selection: BulkSelection
  /** Records of the selection. */
  readonly count: number
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Records to print, or to share by a link. */
export interface SheetsPanelProps {
  readonly selection: BulkSelection
  /** The number of records. */
  readonly count: number
  /** The schema of the templates; '': records of several schemas. */
  readonly schemaId: string
  readonly onClose: () => void
}

/** The form of a new record. */
export interface NewRecordPanelProps {
  readonly schemaId: string
  readonly onMade: (recordId: string) => void
}

/** The place of the person, and the rows of a sheet in view. */
export interface Presence {
  readonly here: () => { readonly recordId: string; readonly attributeAlias?: string } | undefined
  /** Returns records with the places of their marks in the sheet; undefined: marks of `here` alone. */
  readonly rows?:
    | (() => readonly { readonly recordId: string; readonly left: number; readonly top: number }[])
    | undefined
}

/** The small charts of home. */
export interface ChartsPanelProps {
  readonly schema: { readonly id: string; readonly workflowId: string }
  /** Undefined: the schema requires nothing. */
  readonly matrix: Matrix | undefined
  readonly counts: Query<Counted>
}

/** The number of records, and per cell of a matrix the number of complete records; null: the combination does not count. */
export interface Counted {
  readonly total: number
  readonly cells: readonly (readonly (number | null)[])[]
}
