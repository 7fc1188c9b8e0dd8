// Panels that one place opens and another place implements. The shell registers their files, so that places do not
// depend on each other.
import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Locale } from '../fields/field.ts'
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Console } from './console.ts'
import type { Matrix } from '../../src/statistics/rules/completeness-matrix.ts'
import { useConsole } from './context.ts'
import type { PictureSchema } from './pictures.ts'
import { tellMissing } from './renewed.ts'

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
  /** Called when the job has begun: the selection is over. */
  readonly onBegun: () => void
  /** Called after the records are deleted, or restored by undo. */
  readonly onDone: () => void
}

export type BulkTaskName = 'edit' | 'move' | 'categories' | 'replace'

export const NO_CRITERIA: Selection = { criteria: [], criteriaOperator: 'and' }

/** Filters as a form field. */
export interface CriteriaPanelProps {
  readonly label: string
  /** '': without a schema there are no attributes to filter by. */
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
  /** Receives the list as it is when the change happens; undefined: the list is read-only. */
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
  /** Undefined: the attribute has the file itself. */
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
  readonly recordIds: readonly string[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Records to print, or to share by a link. */
export interface SheetsPanelProps {
  readonly selection: BulkSelection
  /** The number of records. */
  readonly count: number
  /** Templates are for one schema; '': records of several. */
  readonly schemaId: string
  readonly onClose: () => void
}

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
  readonly onClose: () => void
}

/** Looks for open threads of the shown records, from now on. */
export interface ThreadsHost {
  readonly console: Console
  /** The records in view that have been read. */
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

/** The form of a new record. */
export interface NewRecordPanelProps {
  readonly schemaId: string
  readonly onMade: (recordId: string) => void
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
  readonly locale: Locale
  /** The shown columns; `scope`: that of their cells. */
  readonly columns: readonly (
    | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly scope: Scope }
    | { readonly kind: 'field'; readonly field: string }
  )[]
  /** The rows, as lists one after another; no parts: one list. */
  readonly list: () => {
    readonly selection: Selection
    readonly sort: readonly SortKey[]
    readonly parts: readonly Criterion[]
  }
  /** The place of the cursor. */
  readonly from: () => { readonly part: number; readonly row: number }
  /** Goes to the cell of a hit. */
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

/** Where the person is, and the rows of a sheet in view. */
export interface Presence {
  readonly here: () => { readonly recordId: string; readonly attributeAlias?: string } | undefined
  /** With the places of their marks in the sheet; undefined: marks of `here` alone. */
  readonly rows?:
    | (() => readonly { readonly recordId: string; readonly left: number; readonly top: number }[])
    | undefined
}

/** The small charts of home. */
export interface ChartsPanelProps {
  readonly schema: { readonly id: string; readonly workflowId: string }
  /** Undefined: the schema requires nothing. */
  readonly matrix: Matrix | undefined
}

/** An absent panel cannot be opened, and is not offered. */
export interface Panels {
  readonly record?: () => Promise<ComponentType<RecordPanelProps>>
  readonly bulk?: () => Promise<ComponentType<BulkPanelProps>>
  readonly criteria?: () => Promise<ComponentType<CriteriaPanelProps>>
  readonly dropped?: () => Promise<ComponentType<DroppedPanelProps>>
  readonly assign?: () => Promise<ComponentType<AssignPanelProps>>
  readonly comments?: () => Promise<ComponentType<CommentsPanelProps>>
  readonly noticeSettings?: () => Promise<ComponentType>
  /** The ways to begin, in an empty workspace. */
  readonly welcome?: () => Promise<ComponentType>
  readonly presence?: () => Promise<ComponentType<Presence>>
  readonly sheets?: () => Promise<ComponentType<SheetsPanelProps>>
  readonly charts?: () => Promise<ComponentType<ChartsPanelProps>>
  readonly keys?: () => Promise<ComponentType<{ readonly onClose: () => void }>>
  /** The tools of groups in a sheet: `GroupTools` of the grid, which the state does not know. */
  readonly groups?: () => Promise<object>
  readonly find?: () => Promise<ComponentType<FindPanelProps>>
  readonly groupBy?: () => Promise<ComponentType<GroupPanelProps>>
  readonly cellHistory?: () => Promise<ComponentType<CellPanelProps>>
  readonly cellComments?: () => Promise<ComponentType<CellPanelProps>>
  readonly threads?: () => Promise<(host: ThreadsHost) => ThreadsFollower>
  readonly deleteRecords?: () => Promise<ComponentType<DeletePanelProps>>
  readonly columns?: () => Promise<ComponentType<ColumnsPanelProps>>
  readonly views?: () => Promise<ComponentType<ViewsPanelProps>>
  readonly newRecord?: () => Promise<ComponentType<NewRecordPanelProps>>
  readonly gallery?: () => Promise<ComponentType<GalleryPanelProps>>
}

export const PanelsContext = createContext<Panels>({})

export function usePanels(): Panels {
  return useContext(PanelsContext)
}

/** Undefined until loaded, and if there is no such panel. @param isAsked true loads the panel */
export function usePanel<Name extends Exclude<keyof Panels, 'groups' | 'threads'>>(
  name: Name,
  isAsked: boolean,
): PanelComponent<Name> | undefined {
  const console = useConsole()
  const load = usePanels()[name]
  const [loaded, setLoaded] = useState<{ readonly component: PanelComponent<Name> } | undefined>(undefined)
  useEffect(() => {
    if (!isAsked || load === undefined || loaded !== undefined) return
    void load().then(
      (component) => setLoaded({ component: component as PanelComponent<Name> }),
      () => tellMissing(console),
    )
  }, [isAsked, load, loaded])
  return loaded?.component
}

/** Milliseconds in which the page has the connection alone. */
const AFTER = 1000

/** Loads a panel after the page: nobody waits for the panel. */
export function useLatePanel<Name extends Exclude<keyof Panels, 'groups' | 'threads'>>(
  name: Name,
): PanelComponent<Name> | undefined {
  const { browser } = useConsole()
  const [isAsked, setAsked] = useState(false)
  useEffect(() => browser.after(AFTER, () => setAsked(true)), [browser])
  return usePanel(name, isAsked)
}

type PanelComponent<Name extends Exclude<keyof Panels, 'groups' | 'threads'>> = Awaited<
  ReturnType<NonNullable<Panels[Name]>>
>
