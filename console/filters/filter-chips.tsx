// The filter bar: the filters of a question as chips, and where another one is made (G7); in a form, too.
import { signal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import type { Scope } from '../../src/domain/scopes/scope.ts'
import type { Selection } from '../../src/domain/search/selection.ts'
import type { Locale } from '../fields/field.ts'
import { useLocale } from '../fields/use-locale.ts'
import { Button } from '../kit/button.tsx'
import { Chip } from '../kit/chips.tsx'
import { TextField } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/records.ts'
import { useCategories } from './categories.ts'
import { chipText, type Naming } from './chip-text.ts'
import type { FilterHost } from './filter-host.ts'
import { FilterPanel, type FilterTarget } from './filter-panel.tsx'
import { Popover } from './popover.tsx'
import { chipsOf, type RecordsQuery, toSelection, withoutChip } from './query.ts'
import { readSelection } from './read-selection.ts'

/** What a filter is being made for, and where. */
export interface OpenFilter {
  readonly target: FilterTarget
  readonly anchor: HTMLElement
}

export function FilterChips(props: {
  readonly host: FilterHost
  readonly locale: Locale
  /** Undefined: none is made. */
  readonly filter: OpenFilter | undefined
  readonly onFilter: (filter: OpenFilter | undefined) => void
}) {
  const { host, locale, filter, onFilter } = props
  const naming = useNaming(host, locale)
  const chips = chipsOf(host.query.value)
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
          type="button"
          class="button quiet"
          aria-haspopup="dialog"
          aria-expanded={filter !== undefined}
          onClick={({ currentTarget: anchor }) =>
            onFilter(filter === undefined ? { target: '.lifecycleStateId', anchor } : undefined)
          }
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
  const { nameOf } = useCategories()
  const schema = host.schema.value
  return schema && { model, schema, locale, categoryName: nameOf }
}

export const NO_CRITERIA: Selection = { criteria: [], criteriaOperator: 'and' }

interface CriteriaFieldProps {
  readonly label: string
  /** '': without one there are no attributes to filter by. */
  readonly schemaId: string
  readonly scope: Scope
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}

export function CriteriaField(props: CriteriaFieldProps) {
  // What a role may not see of them comes as a placeholder.
  const isMasked = props.selection.criteria.some((criterion) => typeof criterion === 'string')
  return (
    <div class="criteria" role="group" aria-label={props.label}>
      {isMasked ? <p class="hint">{t('records.masked')}</p> : <Criteria {...props} />}
    </div>
  )
}

function Criteria({ schemaId, scope, selection, onChange }: CriteriaFieldProps) {
  const { model } = useConsole()
  const locale = useLocale()
  const [filter, setFilter] = useState<OpenFilter | undefined>(undefined)
  const state = useMemo(
    () => ({
      schema: signal(model.schema(schemaId)),
      query: signal<RecordsQuery>(readSelection(NO_CRITERIA, {})),
      scope: signal(scope),
    }),
    [],
  )
  // What the form says now: who reads it is rendered right after.
  state.schema.value = model.schema(schemaId)
  state.scope.value = scope
  const query = readSelection(selection, scope)
  if (JSON.stringify(state.query.peek()) !== JSON.stringify(query)) state.query.value = query
  const ask = (changes: Partial<RecordsQuery>) => {
    const { schemaId: _schema, textMode: _mode, ...next } = toSelection({ ...query, schemaId: '', ...changes }, scope)
    onChange({ ...next, ...(selection.textMode === undefined ? {} : { textMode: selection.textMode }) })
  }
  const host: FilterHost = { ...state, access: (alias) => model.access(schemaId, alias), ask }
  return (
    <>
      {model.schema(schemaId) === undefined ? (
        <p class="hint">{t('records.schemaForFilters', { count: selection.criteria.length })}</p>
      ) : (
        <FilterChips host={host} locale={locale} filter={filter} onFilter={setFilter} />
      )}
      <TextField label={t('records.withWords')} value={selection.text ?? ''} onInput={(text) => ask({ text })} />
    </>
  )
}
