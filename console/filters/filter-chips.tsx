// The filter bar: the filters of the query as chips, and the popover that makes another filter (G7).
import type { Locale } from '../fields/field.ts'
import { useRef } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Chip } from '../kit/chips.tsx'
import { Icon } from '../kit/icon.tsx'
import { useCommands, useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { useCategories } from '../kit/category-names.ts'
import { chipText, type Naming } from './chip-text.ts'
import type { FilterHost } from './filter-host.ts'
import { FilterPanel, type FilterTarget } from './filter-panel.tsx'
import { Popover } from '../kit/popover.tsx'
import { chipsOf, withoutChip } from './query.ts'

/** The unfinished filter, and its position. */
export interface OpenFilter {
  readonly target: FilterTarget
  readonly anchor: HTMLElement
}

export function FilterChips(props: {
  readonly host: FilterHost
  readonly locale: Locale
  /** Undefined: the user makes no filter. */
  readonly filter: OpenFilter | undefined
  readonly onFilter: (filter: OpenFilter | undefined) => void
}) {
  const { host, locale, filter, onFilter } = props
  const naming = useNaming(host, locale)
  const chips = chipsOf(host.query.value)
  const button = useRef<HTMLButtonElement>(null)
  const open = () => onFilter({ target: '.lifecycleStateId', anchor: button.current! })
  useCommands(() => [{ id: 'filter', group: 'here', title: () => t('records.filter'), run: open }])
  return (
    <>
      <div class="chips">
        {naming !== undefined &&
          chips.map((chip) => (
            <Chip
              key={JSON.stringify(chip)}
              name={chipText(chip, naming)}
              onRemove={() => host.ask(withoutChip(host.query.peek(), chip))}
            />
          ))}
        <button
          ref={button}
          type="button"
          class="button quiet"
          aria-haspopup="dialog"
          aria-expanded={filter !== undefined}
          onClick={() => (filter === undefined ? open() : onFilter(undefined))}
        >
          <Icon name="filter" />
          {t('records.filter')}
        </button>
        {chips.length > 1 && (
          <Button
            kind="quiet"
            onClick={() => host.ask({ text: '', states: [], categories: [], missing: [], where: [] })}
          >
            {t('records.clearAll')}
          </Button>
        )}
      </div>
      {filter !== undefined && (
        <Popover title={t('records.filter')} anchor={() => filter.anchor} onClose={() => onFilter(undefined)}>
          <FilterPanel records={host} locale={locale} target={filter.target} />
        </Popover>
      )}
    </>
  )
}

export function useNaming(host: FilterHost, locale: Locale): Naming | undefined {
  const { model } = useConsole()
  const { nameOf } = useCategories(chipsOf(host.query.value).length > 0)
  const schema = host.schema.value
  return schema && { model, schema, locale, categoryName: nameOf }
}
