// Fields: properties of every record that a search can use, besides attributes. A new field needs an entry here, a test
// in `judge-field.ts`, index rows, and a row in the unit test.
import type { OperatorName } from './operators.ts'

/** Members of a criterion that only some fields take. */
export const FIELD_MEMBERS = ['scope', 'stateId', 'includeChildren'] as const
export type FieldMember = (typeof FIELD_MEMBERS)[number]

interface Field {
  /** Used in the description of the API. */
  readonly meaning: string
  readonly operators: readonly OperatorName[]
  /** The comparison of values: IDs as texts, points in time, or percentages. */
  readonly order: 'none' | 'time' | 'percent'
  readonly takes: readonly FieldMember[]
}

const IDS: readonly OperatorName[] = ['equals', 'notEquals', 'in', 'notIn']
const TIMES: readonly OperatorName[] = ['gt', 'gte', 'lt', 'lte', 'between']

const named = (meaning: string, operators: readonly OperatorName[] = IDS): Field => ({
  meaning,
  operators,
  order: 'none',
  takes: [],
})

export const fields = {
  id: named("the record's ID", [...IDS, 'startsWith']),
  schemaId: named("its schema's ID"),
  lifecycleStateId: named('the state that it is in'),
  createdBy: named('the user or key that created it'),
  updatedBy: named('the user or key that changed it last'),
  parentId: named('the record that it is a variant of', ['equals', 'in', 'isEmpty', 'isNotEmpty']),
  createdAt: { ...named('when it was created', TIMES), order: 'time' },
  updatedAt: { ...named('when it was changed last', TIMES), order: 'time' },
  categoryId: {
    ...named('a category that it, or the record that it is a variant of, is assigned to', [
      ...IDS,
      'isEmpty',
      'isNotEmpty',
    ]),
    takes: ['includeChildren'],
  },
  catalogId: named('a catalog that it is assigned to categories of', ['equals', 'in', 'isEmpty', 'isNotEmpty']),
  completeness: {
    ...named('how much of what the state requires has a value, in percent', ['equals', ...TIMES]),
    order: 'percent',
    takes: ['scope', 'stateId'],
  },
  missing: {
    ...named('an attribute that the state requires and that has no value', ['equals', 'in', 'isNotEmpty']),
    takes: ['scope', 'stateId'],
  },
} satisfies Record<string, Field>

export type FieldName = keyof typeof fields
export const FIELD_NAMES = Object.keys(fields) as FieldName[]

export function fieldOf({ field }: { readonly field: FieldName }): Field {
  return fields[field]
}
