// Attributes of a schema, in the form for clients, with their limits. Contract 2 §3.
import * as v from 'valibot'
import { CRITERIA_OPERATORS, GuardCriterion } from '../../search/rules/criterion.ts'
import { isCurrency, NO_CURRENCY } from '../../values/currencies.ts'
import { DATA_TYPE_NAMES } from '../../datatypes/data-types.ts'
import { keepNames, type Named, NamesInput } from './names.ts'
import { HIDDEN_RULE, HiddenRule, keepRule } from './hidden-rule.ts'
import { ValidationRules } from '../../values/rules.ts'
import { findDisplayFault, NumberDisplay } from './number-display.ts'
import { Alias, Description, firstDuplicate, Flag, Id, listOf, Name } from '../../../kernel/input/validation.ts'

/** The most options of one attribute. */
export const MAX_OPTIONS = 10_000

export const Guard = v.object({
  criteriaOperator: v.picklist(CRITERIA_OPERATORS, "must be 'and' or 'or'"),
  criteria: listOf(GuardCriterion, 50),
})
export type Guard = v.InferOutput<typeof Guard>

export const AttributeInput = v.object({
  alias: Alias,
  name: v.optional(Name),
  names: v.optional(NamesInput),
  description: v.optional(Description, ''),
  dataType: v.picklist(DATA_TYPE_NAMES, `must be one of ${DATA_TYPE_NAMES.join(', ')}`),
  dimensionIds: v.optional(listOf(Id, 8), []),
  unique: v.optional(Flag, false),
  requiredInStateIds: v.optional(listOf(Id, 200), []),
  guard: v.optional(v.nullable(v.union([Guard, HiddenRule])), null),
  validation: v.optional(ValidationRules, {}),
  options: v.optional(
    listOf(v.object({ id: Id, name: v.optional(Name), names: v.optional(NamesInput) }), MAX_OPTIONS),
    [],
  ),
  units: v.optional(listOf(Name, 1000), []),
  currencies: v.optional(
    listOf(
      v.pipe(
        v.string('must be a string'),
        v.regex(/^[A-Z]{3}$/, 'must be a currency code of three capitals'),
        v.check(isCurrency, NO_CURRENCY),
      ),
      300,
    ),
    [],
  ),
  display: v.optional(NumberDisplay),
})
export type AttributeInput = v.InferOutput<typeof AttributeInput>

export interface Attribute extends Omit<AttributeInput, 'guard' | 'name' | 'names' | 'options'>, Named {
  readonly guard: Guard | null
  readonly options: (Named & { readonly id: string })[]
}

/**
 * Returns the attribute that `input` describes. Names default to the alias and to the option's ID.
 * @param stored the present attribute with this alias: a placeholder keeps its guard
 * @throws VALIDATION_ERROR for a placeholder without a stored guard
 */
export function defineAttribute(input: AttributeInput, stored?: Attribute): Attribute {
  const { guard, name = input.alias, names, ...rest } = input
  return {
    ...rest,
    name,
    ...keepNames(names),
    options: input.options.map(({ id, name: of = id, names: by }) => ({ id, name: of, ...keepNames(by) })),
    guard: guard === HIDDEN_RULE ? keepRule(stored?.guard, `attribute '${input.alias}': guard`) : guard,
  }
}

/** Returns the fault of the attribute by itself, as `field problem`; undefined: none. */
export function findAttributeFault(attribute: Attribute): string | undefined {
  const { minLength, maxLength, min, max } = attribute.validation
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    return 'validation.minLength must not exceed maxLength'
  if (min !== undefined && max !== undefined && min > max) return 'validation.min must not exceed max'
  const stranger = findStrangeRule(attribute) ?? findDisplayFault(attribute.dataType, attribute.display)
  if (stranger !== undefined) return stranger
  const lists = {
    dimensionIds: attribute.dimensionIds,
    requiredInStateIds: attribute.requiredInStateIds,
    options: attribute.options.map((option) => option.id),
    units: attribute.units,
    currencies: attribute.currencies,
  }
  for (const [field, items] of Object.entries(lists)) {
    const twice = firstDuplicate(items)
    if (twice !== undefined) return `${field} lists '${twice}' twice`
  }
  if (attribute.guard?.criteria.some((criterion) => criterion.attributeAlias === attribute.alias))
    return 'guard must not ask for the attribute itself'
  return undefined
}

/** Rules that only one data type has. */
const RULES_OF = {
  references: ['maxCount', 'schemaId'],
  file: ['mediaTypes', 'maxBytes', 'minPixels', 'maxPixels'],
} as const

function findStrangeRule({ dataType, validation }: Attribute): string | undefined {
  for (const [type, rules] of Object.entries(RULES_OF))
    for (const rule of rules)
      if (dataType !== type && validation[rule] !== undefined)
        return `validation.${rule} is for the data type ${type} only`
  const { minPixels, maxPixels } = validation
  for (const side of ['width', 'height'] as const)
    if ((minPixels?.[side] ?? 0) > (maxPixels?.[side] ?? Infinity))
      return `validation.minPixels.${side} must not exceed maxPixels.${side}`
  return undefined
}
