// The panel that makes a filter: the attribute, then the values with their record counts. G7.
import { useState } from 'preact/hooks'
import { Combobox } from '../kit/combobox.tsx'
import type { Option } from '../kit/choices.ts'
import { Segmented } from '../kit/chips.tsx'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { restrictScope, withinScope } from '../../src/core/scopes/scope.ts'
import { readValue, writeValue } from '../fields/fields.ts'
import type { Locale } from '../fields/field.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { valueText } from './chip-text.ts'
import { useCategories } from '../kit/category-names.ts'
import {
  type AttributeFilter,
  filterKindOf,
  readCompleteness,
  readFilter,
  withCompleteness,
  withFilter,
} from './filters.ts'
import { Bounds, CheckList, FacetList, Typed } from './filter-fields.tsx'
import { ANY_ATTRIBUTE, NO_CATEGORY } from './query.ts'
import type { FilterHost } from './filter-host.ts'

const FIELDS = ['lifecycleStateId', 'categoryId', 'completeness', 'missing'] as const
type FilterField = (typeof FIELDS)[number]

/** The target of the filter: `.field`, or an alias. */
export type FilterTarget = string

interface FilterPanelProps {
  readonly records: FilterHost
  readonly locale: Locale
  readonly target: FilterTarget
}

export function FilterPanel({ records, locale, target }: FilterPanelProps) {
  const { model } = useConsole()
  const [chosen, setChosen] = useState(target)
  const schema = records.schema.value
  if (schema === undefined) return null
  const attributes = schema.attributes.filter(({ alias }) => records.access(alias) !== 'none')
  const options: Option[] = [
    ...FIELDS.map((field) => ({ id: `.${field}`, name: t(`field.${field}`) })),
    ...attributes.map((attribute) => ({ id: attribute.alias, name: model.nameOf(attribute), detail: attribute.alias })),
  ]
  const field = FIELDS.find((one) => chosen === `.${one}`)
  const attribute = attributes.find(({ alias }) => alias === chosen)
  return (
    <div class="filter">
      <Combobox
        label={t('records.filterBy')}
        placeholder={t('records.filterBy')}
        options={options}
        value={options.find(({ id }) => id === chosen) ?? null}
        onChange={(option) => setChosen(option?.id ?? '')}
      />
      {field !== undefined && <FieldFilter key={field} records={records} field={field} attributes={attributes} />}
      {attribute !== undefined && (
        <AttributeFilterForm key={attribute.alias} records={records} attribute={attribute} locale={locale} />
      )}
    </div>
  )
}

function FieldFilter({
  records,
  field,
  attributes,
}: {
  readonly records: FilterHost
  readonly field: FilterField
  readonly attributes: readonly Attribute[]
}) {
  const { model } = useConsole()
  const categories = useCategories(true)
  const query = records.query.value
  const schema = records.schema.value!
  if (field === 'completeness') return <CompletenessFilter records={records} />
  if (field === 'missing') {
    const required = attributes.filter(({ requiredInStateIds }) => requiredInStateIds.length > 0)
    const choices = [
      { id: ANY_ATTRIBUTE, name: t('records.anyAttribute') },
      ...required.map((attribute) => ({ id: attribute.alias, name: model.nameOf(attribute) })),
    ]
    return <CheckList choices={choices} chosen={query.missing} onChange={(missing) => records.ask({ missing })} />
  }
  const isState = field === 'lifecycleStateId'
  const nameOf = (id: string): string => (isState ? model.stateName(schema.workflowId, id) : categories.nameOf(id))
  return (
    <FacetList
      records={records}
      facet={{ field }}
      without={isState ? { ...query, states: [] } : { ...query, categories: [] }}
      nameOf={nameOf}
      missing={isState ? undefined : NO_CATEGORY}
      chosen={isState ? query.states : query.categories}
      onChange={(ids) => records.ask(isState ? { states: ids } : { categories: ids })}
    />
  )
}

function CompletenessFilter({ records }: { readonly records: FilterHost }) {
  const { from, to } = readCompleteness(records.query.value)
  const ask = (from: string, to: string): void =>
    records.ask(withCompleteness(records.query.peek(), percent(from), percent(to), records.scope.peek()))
  return <Bounds from={from} to={to} onChange={ask} unit="%" />
}

function percent(text: string): string {
  const number = Number.parseInt(text, 10)
  return Number.isFinite(number) ? String(Math.min(100, Math.max(0, number))) : ''
}

function AttributeFilterForm({
  records,
  attribute,
  locale,
}: {
  readonly records: FilterHost
  readonly attribute: Attribute
  readonly locale: Locale
}) {
  const { alias } = attribute
  const scope = restrictScope(records.scope.value, attribute.dimensionIds)
  const query = records.query.value
  const filter = readFilter(query, alias, scope)
  const set = (changes: AttributeFilter): void =>
    records.ask(
      withFilter(records.query.peek(), alias, scope, { ...readFilter(records.query.peek(), alias, scope), ...changes }),
    )
  const kind = filterKindOf(attribute)
  return (
    <>
      {kind === 'values' && (
        <FacetList
          records={records}
          facet={{ attributeAlias: alias, ...withinScope(scope) }}
          without={withFilter(query, alias, scope, {})}
          nameOf={(value) => valueText(value, attribute, locale)}
          missing={undefined}
          chosen={filter.values ?? []}
          onChange={(values) => set({ values })}
        />
      )}
      {kind === 'range' && (
        <Bounds
          from={localText(filter.from, attribute, locale)}
          to={localText(filter.to, attribute, locale)}
          onChange={(from, to) =>
            set({ from: canonicalText(from, attribute, locale), to: canonicalText(to, attribute, locale) })
          }
        />
      )}
      {kind === 'text' && (
        <Typed label={t('records.filterValue')} value={filter.text ?? ''} onChange={(text) => set({ text })} />
      )}
      <Segmented
        label={t('noValue')}
        value={filter.presence ?? 'any'}
        choices={[
          { id: 'any', name: t('all') },
          { id: 'isEmpty', name: t('records.filterEmpty') },
          { id: 'isNotEmpty', name: t('records.filterFilled') },
        ]}
        onChange={(presence) => set({ presence: presence === 'any' ? undefined : presence })}
      />
    </>
  )
}

/** Returns the attribute by which bounds are compared: amounts compare by their numbers. */
function boundAttribute(attribute: Attribute): Attribute {
  const isAmount = attribute.dataType === 'price' || attribute.dataType === 'measurement'
  return { ...attribute, dataType: isAmount ? 'number' : attribute.dataType, validation: {} }
}

function localText(text: string | undefined, attribute: Attribute, locale: Locale): string {
  if (text === undefined || text === '') return ''
  const bound = boundAttribute(attribute)
  return writeValue(bound.dataType === 'number' ? Number(text) : text, bound, locale)
}

function canonicalText(text: string, attribute: Attribute, locale: Locale): string {
  const reading = readValue(text, boundAttribute(attribute), locale)
  const { value } = reading.code === undefined ? reading : { value: null }
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}
