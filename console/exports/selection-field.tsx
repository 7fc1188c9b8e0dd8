// Which of the records are in the feed, beyond schema, state and catalog: all, those of a saved query, or those that filters find.
import { signal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import type { Selection } from '../../src/domain/search/selection.ts'
import { useLocale } from '../fields/use-locale.ts'
import { FilterChips, type OpenFilter } from '../filters/filter-chips.tsx'
import type { FilterHost } from '../filters/filter-host.ts'
import { type RecordsQuery, toSelection } from '../filters/query.ts'
import { readSelection } from '../filters/read-selection.ts'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/exports.ts'
import type { JobDraft } from './job-draft.ts'
import type { PartProps } from './what-fields.tsx'

/** No ID of a saved query. */
const OWN = '*'
const NOTHING: Selection = { criteria: [], criteriaOperator: 'and' }

export function SelectionField({ draft, put }: PartProps) {
  const { call } = useConsole()
  const query = useQuery(
    'exports queries',
    async (signal) => (await call('GET /api/v1/saved-queries', { signal })).body,
  )
  const { selection } = draft
  const own = ownOf(selection)
  const chosen = selection === null ? '' : own === undefined ? savedIdOf(selection) : OWN
  const queries = query.data.value ?? []
  return (
    <>
      <SelectField
        label={t('exports.selection')}
        value={chosen}
        choices={[
          { id: '', name: t('all') },
          { id: OWN, name: t('exports.ownCriteria') },
          ...queries.map(({ id, name }) => ({ id, name })),
        ]}
        onChange={(id) => put({ selection: id === '' ? null : id === OWN ? NOTHING : { savedQueryId: id } })}
      />
      {own !== undefined && <OwnCriteria draft={draft} put={put} own={own} />}
    </>
  )
}

/** The console's own filter bar. */
function OwnCriteria({ draft, put, own }: PartProps & { readonly own: Selection }) {
  const { model } = useConsole()
  const locale = useLocale()
  const [filter, setFilter] = useState<OpenFilter | undefined>(undefined)
  const state = useMemo(
    () => ({
      schema: signal(model.schema('')),
      query: signal<RecordsQuery>(readSelection(NOTHING, {})),
      scope: signal({}),
    }),
    [],
  )
  const scope = draft.dimensionScope ?? {}
  const schemaId = draft.schemaId ?? ''
  // What the form says now: who reads it is rendered right after.
  state.schema.value = model.schema(schemaId)
  state.scope.value = scope
  const query = readSelection(own, scope)
  if (JSON.stringify(state.query.peek()) !== JSON.stringify(query)) state.query.value = query
  const ask = (changes: Partial<RecordsQuery>) => {
    const {
      schemaId: _schema,
      textMode: _mode,
      ...next
    } = toSelection({ ...state.query.peek(), schemaId: '', ...changes }, scope)
    const mode = own.textMode === undefined ? {} : { textMode: own.textMode }
    put({ selection: { ...next, ...mode } })
  }
  const host: FilterHost = { ...state, access: (alias) => model.access(schemaId, alias), ask }
  return (
    <div class="criteria" role="group" aria-label={t('exports.ownCriteria')}>
      {state.schema.value === undefined ? (
        <p class="hint">{t('exports.schemaForFilters', { count: own.criteria.length })}</p>
      ) : (
        <FilterChips host={host} locale={locale} filter={filter} onFilter={setFilter} />
      )}
      <TextField label={t('exports.withWords')} value={own.text ?? ''} onInput={(text) => ask({ text })} />
    </div>
  )
}

function ownOf(selection: JobDraft['selection']): Selection | undefined {
  return selection !== null && 'criteria' in selection ? (selection as unknown as Selection) : undefined
}

function savedIdOf(selection: NonNullable<JobDraft['selection']>): string {
  return 'savedQueryId' in selection ? selection.savedQueryId : ''
}
