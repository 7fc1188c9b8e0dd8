// Panels that one place opens and another place implements. The shell registers their files, so that places do not
// depend on each other.
import { type ComponentType, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { useConsole } from './context.ts'
import { tellMissing } from './renewed.ts'
import type {
  RecordPanelProps,
  BulkPanelProps,
  DeletePanelProps,
  CriteriaPanelProps,
  GalleryPanelProps,
  DroppedPanelProps,
  CommentsPanelProps,
  AssignPanelProps,
  SheetsPanelProps,
  NewRecordPanelProps,
  Presence,
  ChartsPanelProps,
} from './panel-props.ts'
import type {
  CellPanelProps,
  ThreadsHost,
  ThreadsFollower,
  ViewsPanelProps,
  ColumnsPanelProps,
  FindPanelProps,
  GroupPanelProps,
} from './sheet-panel-props.ts'

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
  readonly cellText?: () => Promise<ComponentType<CellPanelProps>>
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

/** Returns the panel; undefined: it is loading, or does not exist. @param isAsked true loads the panel */
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

/** Milliseconds in which only the page uses the connection. */
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
