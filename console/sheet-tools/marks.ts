// Makes the criteria by which a search finds a text in each column of a sheet. Pure.
import { toCanonical } from '../fields/decimals.ts'
import { readValue, showValue } from '../fields/fields.ts'
import type { Locale } from '../fields/field.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { type Scope, withinScope } from '../../src/core/scopes/scope.ts'
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { FindPanelProps } from '../state/sheet-panel-props.ts'

interface Mark {
  /** The index of the column. */
  readonly column: number
  readonly criterion: Criterion
}

/** The states of the records, by the names that a sheet shows. */
type States = readonly { readonly id: string; readonly name: string }[]

/** The most columns that one request searches. */
const MOST_MARKS = 100

export function marksOf(text: string, columns: FindPanelProps['columns'], locale: Locale, states: States): Mark[] {
  return columns
    .flatMap((column, at) => {
      const criterion =
        column.kind === 'field'
          ? markOfField(text, column.field, states)
          : markOfAttribute(text, column.attribute, column.scope, locale)
      return criterion === undefined ? [] : [{ column: at, criterion }]
    })
    .slice(0, MOST_MARKS)
}

function markOfField(text: string, field: string, states: States): Criterion | undefined {
  if (field === 'id') return { field, operator: 'startsWith', value: text }
  if (field !== 'lifecycleStateId') return undefined
  return oneOf(states, text, (value) => ({ field, operator: 'in', value }))
}

function markOfAttribute(text: string, attribute: Attribute, scope: Scope, locale: Locale): Criterion | undefined {
  const target = { attributeAlias: attribute.alias, ...withinScope(scope) }
  switch (attribute.dataType) {
    case 'text':
    case 'richText':
    case 'url':
      return { ...target, operator: 'contains', value: text }
    case 'select':
    case 'multiSelect': {
      const named = attribute.options.map(({ id }) => ({
        id,
        name: showValue(id, { ...attribute, dataType: 'select' }, locale),
      }))
      return oneOf(named, text, (value) => ({ ...target, operator: 'in', value }))
    }
    case 'boolean': {
      const named = [
        { id: 'true', name: locale.yes },
        { id: 'false', name: locale.no },
      ]
      return oneOf(named, text, (value) => ({ ...target, operator: 'in', value }))
    }
    case 'number':
    case 'price':
    case 'measurement': {
      const value = toCanonical(text, locale.tag)
      return /^-?\d+(\.\d+)?$/.test(value) ? { ...target, operator: 'equals', value } : undefined
    }
    case 'date': {
      const reading = readValue(text, attribute, locale)
      const value = reading.code === undefined ? reading.value : null
      return typeof value === 'string' ? { ...target, operator: 'equals', value } : undefined
    }
    case 'reference':
    case 'references':
      return { ...target, operator: 'in', value: [text] }
    default:
      return undefined
  }
}

/** The most values of one criterion. */
const MOST_VALUES = 1000

function oneOf(named: States, text: string, make: (ids: readonly string[]) => Criterion): Criterion | undefined {
  const needle = text.toLowerCase()
  const ids = named.flatMap(({ id, name }) => (name.toLowerCase().includes(needle) ? [id] : []))
  return ids.length === 0 ? undefined : make(ids.slice(0, MOST_VALUES))
}
