// The bar above the sheet: search, filters as chips, record count, variants, pending changes. G7, G11.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SheetState } from '../grid/sheet-state.ts'
import { Button } from '../kit/button.tsx'
import { MenuButton } from '../kit/menu.tsx'
import type { Locale } from '../fields/field.ts'
import { useCommands, useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { FilterChips, type OpenFilter } from '../filters/filter-chips.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { chipsOf, toSelection, VARIANTS } from '../filters/query.ts'
import { GroupMenu } from './group-menu.tsx'
import type { RecordsState } from './records-state.ts'
import { ViewsMenu } from './views-menu.tsx'

export interface ToolbarProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly locale: Locale
  /** The unfinished filter, and its position; undefined: none. */
  readonly filter: OpenFilter | undefined
  readonly onFilter: (filter: ToolbarProps['filter']) => void
}

export function Toolbar({ records, sheet, locale, filter, onFilter }: ToolbarProps) {
  return (
    <div class="toolbar" data-region>
      <SearchBox records={records} />
      <FilterChips host={records} locale={locale} filter={filter} onFilter={onFilter} />
      <div class="row toolbar-end">
        <Stale records={records} />
        <Count records={records} />
        {records.hasWall.value && <WallButton records={records} sheet={sheet} />}
        {!records.isWall.value && <GroupMenu records={records} />}
        <VariantsMenu records={records} />
        <ViewsMenu records={records} />
        <ColumnChooser records={records} />
      </div>
    </div>
  )
}

/** Milliseconds after the last key. */
const TYPING = 300

function SearchBox({ records }: { readonly records: RecordsState }) {
  const { browser } = useConsole()
  const field = useRef<HTMLInputElement>(null)
  const asked = records.query.value.text
  const [typed, setTyped] = useState<string | undefined>(undefined)
  useCommands(() => [
    {
      id: 'records-search',
      group: 'here',
      keys: '/',
      title: () => t('records.search'),
      run: () => field.current?.focus(),
    },
  ])
  useEffect(() => {
    if (typed === undefined || typed === asked) return undefined
    return browser.after(TYPING, () => records.ask({ text: typed }))
  }, [typed])
  // A text that does not come from this field, for example by back, replaces the typed text.
  useEffect(() => setTyped(undefined), [asked])
  return (
    <input
      ref={field}
      class="search"
      type="search"
      aria-label={t('records.search')}
      placeholder={t('records.search')}
      dir="auto"
      value={typed ?? asked}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') records.ask({ text: event.currentTarget.value })
        const isDone = event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'Escape'
        if (isDone) document.querySelector<HTMLElement>('.sheet')?.focus()
        if (isDone) event.preventDefault()
      }}
    />
  )
}

/** `8,334 of 100,000`: the total is the schema's, without filters. */
function Count({ records }: { readonly records: RecordsState }) {
  void records.revision.value
  const query = records.query.value
  const { total } = records.store
  const isFiltered = chipsOf(query).length > 0
  const all = { ...query, text: '', states: [], categories: [], missing: [], where: [] }
  const key = isFiltered ? `count ${query.schemaId} ${query.variants}` : 'count'
  const counted = useQuery(key, async (signal) =>
    isFiltered ? records.count(toSelection(all, {}), signal) : undefined,
  )
  if (total === undefined) return <span class="quiet">{t('records.counting')}</span>
  const whole = counted.data.value
  return (
    <span class="count" role="status">
      {isFiltered && whole !== undefined
        ? t('records.countOf', { count: total, total: whole })
        : t('records', { count: total })}
    </span>
  )
}

/** Changes between the sheet and the wall; both begin at the first record. */
function WallButton({ records, sheet }: Pick<ToolbarProps, 'records' | 'sheet'>) {
  const { router } = useConsole()
  const isWall = records.isWall.value
  const title = () => t(isWall ? 'records.asSheet' : 'records.asWall')
  const change = (): void => {
    sheet.goTo({ row: 0, column: 0 })
    sheet.scrollTo(0)
    router.setQuery({ as: isWall ? undefined : 'wall' }, { isStep: true })
  }
  useCommands(() => [{ id: 'records-wall', group: 'here', title, run: change }], [isWall])
  return (
    <Button kind="quiet" icon={isWall ? 'records' : 'picture'} onClick={change}>
      {title()}
    </Button>
  )
}

function VariantsMenu({ records }: { readonly records: RecordsState }) {
  const { variants } = records.query.value
  const entries = VARIANTS.map((one) => ({
    title: t(`records.variants.${one}`),
    isChosen: one === variants,
    run: () => records.ask({ variants: one }),
  }))
  useCommands(() =>
    VARIANTS.map((one) => ({
      id: `records-variants-${one}`,
      group: 'here',
      title: () => t(`records.variants.${one}`),
      run: () => records.ask({ variants: one }),
    })),
  )
  return (
    <MenuButton entries={entries} icon="hook" kind="quiet">
      {t(`records.variants.${variants}`)}
    </MenuButton>
  )
}

/** The number of other users' changes that are not shown: a click reads them. A5. */
function Stale({ records }: { readonly records: RecordsState }) {
  const { count, hasMore } = records.stale.value
  if (count === 0) return null
  return (
    <button type="button" class="stale" onClick={() => records.renew()} title={t('records.renew')}>
      {t(hasMore ? 'records.changesMore' : 'changes', { count })}
    </button>
  )
}
