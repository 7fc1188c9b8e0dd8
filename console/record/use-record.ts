// The shared state of a record's page: its form, its saver, its navigation.
import { useSignalEffect } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { cellScope, cellValue, type CellValue } from '../grid/cell-value.ts'
import type { Endpoints } from '../api/types.ts'
import type { Locale } from '../fields/field.ts'
import { scopedValues, type Values } from '../../src/core/records/rules/record.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Query } from '../state/cache.ts'
import { useQuery } from '../state/context.ts'
import type { SeenSchema } from '../state/model.ts'
import { type RecordData, recordKey } from './record-data.ts'
import type { RecordForm } from './record-form.ts'
import type { RecordSaver } from './record-saver.ts'

export interface RecordContent {
  readonly form: RecordForm
  readonly saver: RecordSaver
  readonly schema: SeenSchema
  readonly locale: Locale
  readonly mayWrite: boolean
  /** Open threads, by value. */
  readonly comments: Query<Endpoints['GET /api/v1/comments/open']['reply']>
  /** Called after a write to the record outside the form. */
  readonly renew: () => void
}

export const RecordContext = createContext<RecordContent | null>(null)

export function useRecord(): RecordContent {
  const content = useContext(RecordContext)
  if (content === null) throw new Error('There is no record around this component')
  return content
}

/** Reads further data about the record, which is not edited: other users' changes appear at once. */
export function useRecordQuery<Value>(about: string, load: (signal: AbortSignal) => Promise<Value>): Query<Value> {
  const { form } = useRecord()
  const query = useQuery(recordKey(form.recordId, about), load)
  useSignalEffect(() => {
    if (query.changes.value > 0) void query.refresh()
  })
  return query
}

/** Returns the value in force in the bar's scope; own values have priority over all values of the parent. */
export function valueInForce(values: Values, parent: Values | null, attribute: Attribute, scope: Scope): CellValue {
  const { alias } = attribute
  const inherited = parent === null ? [] : scopedValues(parent, alias)
  const effectiveValues = { [alias]: [...scopedValues(values, alias), ...inherited] }
  return cellValue({ values, effectiveValues }, alias, scope, attribute)
}

export function scopeInBar(bar: Scope, attribute: Attribute): Scope {
  return cellScope(bar, {}, attribute)
}

/**
 * Returns the label of the record in the bar's scope: the attribute that the schema names, or else the first text with
 * a value.
 */
export function labelOf({ record, parent }: RecordData, schema: SeenSchema | undefined, bar: Scope): string {
  const attributes = schema?.attributes ?? []
  const label = attributes.filter(({ alias }) => alias === schema?.labelAttribute)
  for (const attribute of [...label, ...attributes.filter(({ dataType }) => dataType === 'text')]) {
    const { value } = valueInForce(record.values, parent, attribute, scopeInBar(bar, attribute))
    const any = [...scopedValues(record.values, attribute.alias), ...scopedValues(parent ?? {}, attribute.alias)]
    const text = value ?? any[0]?.value
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return record.id
}
