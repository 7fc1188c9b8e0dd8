// The columns of the sheet as drawn: name, width, content of a cell. G2.
import { fieldOf, showValue } from '../fields/fields.ts'
import type { Locale } from '../fields/field.ts'
import { optionName } from '../fields/options.ts'
import type { CellView } from '../grid/row.tsx'
import type { SheetColumnView } from '../grid/sheet.tsx'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { DataTypeName } from '../../src/core/datatypes/data-types.ts'
import { agree, type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import { stateToScore } from '../../src/core/records/rules/transition.ts'
import type { ModelState } from '../state/model.ts'
import { t } from '../words/place.ts'
import { type ColumnField, type SheetColumn, sortKeyOf } from './columns.ts'
import { showField } from './field-cells.ts'
import { markKey, type RecordRow, scopeOfCell, valueOfCell } from './rows.ts'
import { own } from '../../src/kernel/own.ts'

const WIDTHS: Readonly<Record<DataTypeName, number>> = {
  text: 200,
  richText: 220,
  url: 200,
  number: 96,
  boolean: 80,
  date: 104,
  dateTime: 144,
  select: 128,
  multiSelect: 176,
  price: 112,
  measurement: 104,
  reference: 144,
  references: 176,
  file: 176,
  json: 176,
}
const FIELD_WIDTHS: Readonly<Record<ColumnField, number>> = {
  image: 80,
  id: 144,
  lifecycleStateId: 112,
  completeness: 112,
  variantCount: 88,
  updatedAt: 144,
  updatedBy: 112,
  createdAt: 144,
  createdBy: 112,
}

export interface ColumnWorld {
  readonly model: ModelState
  readonly locale: Locale
  readonly bar: Scope
  readonly sort: readonly SortKey[]
  /** Widths that the user set, by key. */
  readonly widths: Readonly<Record<string, number>>
  readonly mayWrite: boolean
  /** Names of people and referred records, by ID. */
  readonly names: ReadonlyMap<string, string>
}

export function viewOfColumn(column: SheetColumn, world: ColumnWorld): SheetColumnView<RecordRow> {
  const { widths, mayWrite } = world
  const drawn = own(widths, column.key)
  const isField = column.kind === 'field'
  const isEditable = !isField && column.access === 'write' && mayWrite
  return {
    key: column.key,
    title: isField ? t(`field.${column.field}`) : world.model.nameOf(column.attribute),
    detail: isField ? '' : world.model.scopeName(column.scope),
    width: drawn ?? (isField ? FIELD_WIDTHS[column.field] : WIDTHS[column.attribute.dataType]),
    align: isField ? (column.field === 'variantCount' ? 'end' : 'start') : fieldOf(column.attribute).align,
    sorted: sortedBy(column, world),
    isReadOnly: !isField && !isEditable,
    isEditable,
    view: isField ? fieldView(column.field, world) : attributeView(column, world),
  }
}

/** The sort direction of the column, if the sheet is sorted by the column. */
export function sortedBy(
  column: SheetColumn,
  { sort, bar }: Pick<ColumnWorld, 'sort' | 'bar'>,
): 'asc' | 'desc' | undefined {
  const key = sortKeyOf(column, bar)
  return key && sort.find((one) => isSameKey(one, key))?.direction
}

export function isSameKey(one: SortKey, other: SortKey): boolean {
  if ('field' in one || 'field' in other) return 'field' in one && 'field' in other && one.field === other.field
  return one.attributeAlias === other.attributeAlias && scopeKey(one.scope ?? {}) === scopeKey(other.scope ?? {})
}

function fieldView(field: ColumnField, world: ColumnWorld): (row: RecordRow) => CellView {
  const { model } = world
  return ({ record, state }) => ({
    text: showField(record, field, world),
    ink: 'full',
    picture: field === 'image' ? (record.image ?? undefined) : undefined,
    percent: field === 'completeness' ? percentOf(record) : undefined,
    state: field === 'lifecycleStateId' ? placeOfState(record, model) : undefined,
    hint: field === 'lifecycleStateId' && state !== undefined ? t(`records.row.${state}`) : undefined,
  })
}

function placeOfState({ schemaId, lifecycleStateId }: RecordRow['record'], model: ModelState): CellView['state'] {
  const workflow = model.workspace.value?.workflows.get(model.schema(schemaId)?.workflowId ?? '')
  const at = workflow?.states.findIndex(({ id }) => id === lifecycleStateId) ?? -1
  return at < 0 ? undefined : { at, count: workflow!.states.length }
}

/** Returns the percentage of the bar; undefined: the schema requires nothing, so no bar is drawn. */
function percentOf({ completeness }: RecordRow['record']): number | undefined {
  return completeness === undefined || completeness.total === 0 ? undefined : completeness.percentage
}

type AttributeColumn = Extract<SheetColumn, { readonly kind: 'attribute' }>

function attributeView(
  column: AttributeColumn,
  { model, locale, bar, names }: ColumnWorld,
): (row: RecordRow) => CellView {
  const { attribute } = column
  const scope = scopeOfCell(column, bar)
  const key = markKey(attribute.alias, scope)
  return (row) => {
    const mark = row.marks.get(key)
    const hasThreads = row.threads?.has(key)
    if (mark?.kind === 'refused')
      return { text: mark.text, ink: 'full', mark: 'refused', hint: mark.message, hasThreads }
    const { value, origin, from, narrower } = valueOfCell(row, column, bar)
    const isOpen = origin === 'none' && (narrower === 0 || row.record.completeness !== undefined)
    const isMissing = isOpen && lacks(row, attribute, scope, model)
    const isBorrowed = origin === 'wider' || origin === 'parent'
    const hints = [
      origin === 'wider' ? t('record.fromScope', { scope: model.scopeName(from) || t('form.allScopes') }) : '',
      origin === 'parent' ? t('records.inherited') : '',
      narrower > 0 ? t('records.narrower', { count: narrower }) : '',
      mark?.kind === 'saving' ? t('records.saving') : '',
      hasThreads === true ? t('records.hasThreads') : '',
      isMissing ? t('records.missingFor', { state: stateOf(row.record, model) }) : '',
    ].filter(Boolean)
    return {
      text: showValue(named(value, attribute, names), attribute, locale),
      chips: chipsOf(value, attribute, locale),
      ink: isBorrowed ? 'quiet' : 'full',
      more: narrower,
      mark: mark?.kind,
      hasThreads,
      isMissing,
      hint: hints.length === 0 ? undefined : hints.join(' · '),
    }
  }
}

/** Replaces IDs of referred records by their names. */
function named(value: unknown, { dataType }: Attribute, names: ReadonlyMap<string, string>): unknown {
  if (dataType === 'references' && Array.isArray(value)) return value.map((id: string) => names.get(id) ?? id)
  return dataType === 'reference' && typeof value === 'string' ? (names.get(value) ?? value) : value
}

type Missing = NonNullable<RecordRow['record']['completeness']>['missing']
/** Missing values by attribute: with many languages a record lacks thousands. */
const missingOf = new WeakMap<Missing, ReadonlyMap<string, Missing>>()

/**
 * Returns whether the next state requires a value in the cell, as far as the page knows: a guard may depend on values
 * that are not read.
 */
function lacks({ record }: RecordRow, attribute: Attribute, scope: Scope, model: ModelState): boolean {
  const { alias, requiredInStateIds, guard } = attribute
  const { completeness } = record
  if (requiredInStateIds.length === 0) return false
  if (completeness === undefined) {
    const schema = model.schema(record.schemaId)
    const isKnown = guard === null && schema?.masked.has(alias) === false
    const isCounted = schema?.rules.combinations?.some((one) => agree(one, scope)) !== false
    return isKnown && isCounted && requiredInStateIds.includes(scoredState(record, model))
  }
  const { missing } = completeness
  let byAlias = missingOf.get(missing)
  if (byAlias === undefined)
    missingOf.set(missing, (byAlias = Map.groupBy(missing, ({ attributeAlias }) => attributeAlias)))
  return byAlias.get(alias)?.some((one) => agree(one.scope, scope)) === true
}

/** Returns the state for which the record lacks values. */
function scoredState({ schemaId, lifecycleStateId, completeness }: RecordRow['record'], model: ModelState): string {
  const workflow = model.workspace.value?.workflows.get(model.schema(schemaId)?.workflowId ?? '')
  return completeness?.stateId ?? (workflow ? stateToScore(workflow, lifecycleStateId) : lifecycleStateId)
}

function stateOf(record: RecordRow['record'], model: ModelState): string {
  return model.stateName(model.schema(record.schemaId)?.workflowId ?? '', scoredState(record, model))
}

/** More chips than fit into a cell. */
const MOST_CHIPS = 12
const HUES = 6

/**
 * Returns the chips of a value; undefined: the value is no option of a list. The hue of an option follows its position
 * in the list.
 */
function chipsOf(value: unknown, attribute: Attribute, locale: Locale): CellView['chips'] {
  const { dataType, options } = attribute
  if ((dataType !== 'select' && dataType !== 'multiSelect') || value === undefined || value === null) return undefined
  const ids = Array.isArray(value) ? (value as readonly string[]).slice(0, MOST_CHIPS) : [value as string]
  return ids.map((id) => ({
    text: optionName(id, attribute, locale),
    hue:
      Math.max(
        0,
        options.findIndex((option) => option.id === id),
      ) % HUES,
  }))
}
