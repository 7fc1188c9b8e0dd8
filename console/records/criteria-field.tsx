// Filters in a form of another place, which opens them as a panel. The filters belong to the sheet, and load with it.
// G7.
import { signal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { useLocale } from '../fields/use-locale.ts'
import { FilterChips, type OpenFilter } from '../filters/filter-chips.tsx'
import type { FilterHost } from '../filters/filter-host.ts'
import { type RecordsQuery, toSelection } from '../filters/query.ts'
import { readSelection } from '../filters/read-selection.ts'
import { TextField } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { type CriteriaPanelProps, NO_CRITERIA } from '../state/panel-props.ts'
import { hinted, t } from '../words/place.ts'

export function CriteriaField(props: CriteriaPanelProps) {
  // Criteria that the role may not see arrive as placeholders.
  const isMasked = props.selection.criteria.some((criterion) => typeof criterion === 'string')
  return (
    <div class="criteria" role="group" aria-label={props.label}>
      {isMasked ? <p class="hint">{t('records.masked')}</p> : <Criteria {...props} />}
    </div>
  )
}

function Criteria({ schemaId, scope, selection, onChange }: CriteriaPanelProps) {
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
  // The filters that render next read the current state of the form.
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
      <TextField {...hinted('records.withWords')} value={selection.text ?? ''} onInput={(text) => ask({ text })} />
    </>
  )
}
