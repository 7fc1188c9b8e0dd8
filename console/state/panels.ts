// Panels that a place opens beside what it shows, and that are another place's work: the shell says where they are loaded from, so
// that places need not know each other.
import { type ComponentType, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import { useConsole } from './context.ts'
import { tellMissing } from './renewed.ts'

/** Records in the order in which they are listed, as far as they have been read: kept beside the address of a record. */
export interface RecordList {
  readonly ids: readonly string[]
  /** The place of the first of `ids` among all, from 0. */
  readonly first: number
  readonly total: number
}

export interface RecordPanelProps {
  readonly recordId: string
  /** Those around it, for when it is opened as a page. */
  readonly list?: (() => RecordList) | undefined
  /** Where it stands among those that are listed; undefined: it is not known to be among them. */
  readonly place?: { readonly at: number; readonly total: number } | undefined
  /** To the one before or behind it in the list. */
  readonly onStep: (by: 1 | -1) => void
  readonly onClose: () => void
  /** Something of it was written: whoever lists it reads it anew. */
  readonly onChanged: (recordId: string) => void
}

export interface BulkPanelProps {
  readonly selection: BulkSelection
  /** How many records it is for. */
  readonly count: number
  /** What was asked for: values, a transition, categories. */
  readonly task: BulkTaskName
  readonly schemaId: string
  readonly onClose: () => void
  /** A job has run: what is listed is to be read anew. */
  readonly onDone: () => void
}

export type BulkTaskName = 'edit' | 'move' | 'categories'

export const NO_CRITERIA: Selection = { criteria: [], criteriaOperator: 'and' }

/** Filters as a field of a form. */
export interface CriteriaPanelProps {
  readonly label: string
  /** '': without one there are no attributes to filter by. */
  readonly schemaId: string
  readonly scope: Scope
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}

/** What is not there cannot be opened, and is not offered. */
export interface Panels {
  readonly record?: () => Promise<ComponentType<RecordPanelProps>>
  readonly bulk?: () => Promise<ComponentType<BulkPanelProps>>
  readonly criteria?: () => Promise<ComponentType<CriteriaPanelProps>>
}

export const PanelsContext = createContext<Panels>({})

export function usePanels(): Panels {
  return useContext(PanelsContext)
}

/** Undefined until it is loaded, and where there is none. @param isAsked loaded when it is first asked for */
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
