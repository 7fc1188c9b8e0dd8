// Panels that one place opens and another place implements. The shell registers their files, so that places do not
// depend on each other.
import { type ComponentChildren, type ComponentType, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
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
  readonly schemaId: string
  readonly onClose: () => void
  /** Called after a job has run: the list reads its records again. */
  readonly onDone: () => void
}

export type BulkTaskName = 'edit' | 'move' | 'categories'

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
export interface ValueChange {
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
  readonly sheets?: () => Promise<ComponentType<SheetsPanelProps>>
  readonly charts?: () => Promise<ComponentType<ChartsPanelProps>>
  readonly keys?: () => Promise<ComponentType<{ readonly onClose: () => void }>>
  readonly gallery?: () => Promise<ComponentType<GalleryPanelProps>>
}

export const PanelsContext = createContext<Panels>({})

export function usePanels(): Panels {
  return useContext(PanelsContext)
}

/** Undefined until loaded, and if there is no such panel. @param isAsked true loads the panel */
export function usePanel<Name extends keyof Panels>(name: Name, isAsked: boolean): PanelComponent<Name> | undefined {
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

type PanelComponent<Name extends keyof Panels> = Awaited<ReturnType<NonNullable<Panels[Name]>>>
