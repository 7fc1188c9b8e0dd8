// Shapes of the model for clients: dimensions, workflows, schemas, catalogs, categories. Contract 2 §3. The rules of
// the domain define the shapes that clients send.
import * as v from 'valibot'
import { NUMBER_STYLES } from '../rules/number-display.ts'
import { CRITERIA_OPERATORS } from '../../search/rules/criterion.ts'
import { DATA_TYPE_NAMES, dataTypes } from '../../datatypes/data-types.ts'
import { EFFECT_KINDS } from '../rules/effect-counts.ts'
import { HiddenRule } from '../rules/hidden-rule.ts'
import { NamesInput } from '../rules/names.ts'
import { BASIC_OPERATOR_NAMES, operators } from '../../search/rules/operators.ts'
import { ScopeShape } from '../../scopes/scope.ts'
import { Timestamp } from '../../../kernel/input/validation.ts'
import { CompletenessEffectShape } from '../rules/model-preview.ts'

/** `a, b: the meaning of both; c: …`, in the order of the names. */
function describe<Name extends string>(names: readonly Name[], describeOne: (name: Name) => string): string {
  const byDescription = Map.groupBy(names, describeOne)
  return [...byDescription].map(([description, alike]) => `${alike.join(', ')}: ${description}`).join('; ')
}

const unaryNames = BASIC_OPERATOR_NAMES.filter((name) => operators[name].operand === 'none').join(' and ')

const names = v.optional(NamesInput)
const IdAndName = v.object({ id: v.string(), name: v.string(), names })

export const DimensionShape = v.object({ id: v.string(), name: v.string(), segments: v.array(IdAndName) })

export const TransitionShape = v.object({
  id: v.string(),
  fromStateId: v.string(),
  toStateId: v.string(),
  name: v.string(),
  names,
  allowedRoleIds: v.array(v.string()),
  requiresCompleteness: v.pipe(v.boolean(), v.description('The record must be complete for the target state.')),
})

export const WorkflowShape = v.object({
  id: v.string(),
  name: v.string(),
  initialStateId: v.pipe(v.string(), v.description('The state of a new record.')),
  states: v.array(IdAndName),
  transitions: v.array(TransitionShape),
})

export const GuardCriterionShape = v.object({
  attributeAlias: v.string(),
  operator: v.pipe(
    v.picklist(BASIC_OPERATOR_NAMES),
    v.description(
      `What the attribute must have. ${describe(BASIC_OPERATOR_NAMES, (name) => operators[name].meaning)}.`,
    ),
  ),
  value: v.optional(v.pipe(v.string(), v.description(`Always a text. No value for ${unaryNames}.`))),
  scope: v.optional(v.pipe(ScopeShape, v.description('The scope to search. Default: a value in any scope may match.'))),
})

export const GuardShape = v.object({
  criteriaOperator: v.picklist(CRITERIA_OPERATORS),
  criteria: v.array(GuardCriterionShape),
})

const PixelsShape = v.object({ width: v.optional(v.number()), height: v.optional(v.number()) })

export const ValidationShape = v.object({
  minLength: v.optional(v.number()),
  maxLength: v.optional(v.number()),
  pattern: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'RE2 syntax. The pattern may match a part of the text; use ^ and $ to anchor it. A compiled pattern has at most 2,000 instructions; a value may take 1,000,000 characters × instructions.',
      ),
    ),
  ),
  min: v.optional(v.number()),
  max: v.optional(v.number()),
  integer: v.optional(v.boolean()),
  maxDecimals: v.optional(v.number()),
  maxItems: v.optional(v.number()),
  maxCount: v.optional(
    v.pipe(v.number(), v.description('Most records in a list of references: 1 to 200. Default: 200.')),
  ),
  schemaId: v.optional(
    v.pipe(v.string(), v.description('The schema of the records that references name. Default: any schema.')),
  ),
  mediaTypes: v.optional(
    v.pipe(v.array(v.string()), v.description('Media types that a file may have, such as image/png or image/*.')),
  ),
  maxBytes: v.optional(v.pipe(v.number(), v.description('Most bytes of a file.'))),
  minPixels: v.optional(v.pipe(PixelsShape, v.description('Least width and height of a picture.'))),
  maxPixels: v.optional(v.pipe(PixelsShape, v.description('Most width and height of a picture.'))),
})

export const AttributeShape = v.object({
  alias: v.pipe(v.string(), v.description('The key in the `values` of a record.')),
  name: v.string(),
  names,
  description: v.string(),
  dataType: v.pipe(
    v.picklist(DATA_TYPE_NAMES),
    v.description(`The type of a value. ${describe(DATA_TYPE_NAMES, (name) => dataTypes[name].form)}.`),
  ),
  dimensionIds: v.pipe(v.array(v.string()), v.description('The dimensions that values can be scoped to.')),
  unique: v.pipe(v.boolean(), v.description('No two records of the schema may hold the same value in the same scope.')),
  requiredInStateIds: v.pipe(
    v.array(v.string()),
    v.description('The states in which completeness requires the attribute.'),
  ),
  guard: v.pipe(
    v.nullable(v.union([GuardShape, HiddenRule])),
    v.description('The attribute is visible only where the guard holds.'),
  ),
  validation: ValidationShape,
  options: v.pipe(v.array(IdAndName), v.description('For select and multiSelect.')),
  units: v.pipe(v.array(v.string()), v.description('For measurement. Empty: any unit.')),
  currencies: v.pipe(
    v.array(v.string()),
    v.description('For price: ISO 4217 codes, including funds and metals. Empty: any currency.'),
  ),
  display: v.pipe(
    v.optional(
      v.object({
        style: v.optional(v.picklist(NUMBER_STYLES)),
        decimals: v.optional(v.number()),
        unit: v.optional(v.string()),
      }),
    ),
    v.description(
      'How people see numbers: `plain` without separators, `grouped` with them, else separators from 10,000 on; a fixed count of decimals; for number, a unit behind them.',
    ),
  ),
})

export const GroupShape = v.object({
  id: v.string(),
  name: v.string(),
  names,
  attributeAliases: v.array(v.string()),
})

export const SchemaShape = v.object({
  id: v.string(),
  name: v.string(),
  names,
  workflowId: v.string(),
  attributes: v.array(AttributeShape),
  combinations: v.pipe(
    v.nullable(v.array(ScopeShape)),
    v.description('The combinations of segments that count for completeness. null: all combinations.'),
  ),
  labelAttribute: v.optional(v.pipe(v.string(), v.description('The attribute whose value is the label of a record.'))),
  imageAttribute: v.optional(
    v.pipe(
      v.string(),
      v.description('A file, or references to records with an image attribute: its first picture stands for a record.'),
    ),
  ),
  groups: v.optional(v.pipe(v.array(GroupShape), v.description('Groups of attributes, in display order.'))),
  variantAttributes: v.optional(
    v.pipe(v.array(v.string()), v.description('The attributes that differ between variants; for display.')),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const EffectShape = v.object({
  schemaId: v.string(),
  kind: v.pipe(
    v.picklist(EFFECT_KINDS),
    v.description(
      'valuesRemoved: the attribute and its values are removed. valuesUnfit: values no longer fit the attribute. nowRequired: combinations without a value that the state of the record requires from then on. guardHides: values that a guard hides from then on. uniqueViolated: values that more than one record holds.',
    ),
  ),
  attributeAlias: v.pipe(v.string(), v.description('`lifecycleState`: records in a state that is removed.')),
  records: v.optional(v.number()),
  values: v.optional(v.number()),
  examples: v.optional(v.pipe(v.array(v.string()), v.description('IDs of up to 5 affected records.'))),
  hidden: v.optional(
    v.pipe(
      v.literal(true),
      v.description(
        'Your role may not read the attribute. The change may have this effect; the answer has no counts and no records.',
      ),
    ),
  ),
})
export const ModelEffectsShape = v.object({
  effects: v.array(EffectShape),
  completeness: v.array(CompletenessEffectShape),
})

export const CatalogShape = v.object({ id: v.string(), name: v.string() })

export const CategoryShape = v.object({
  id: v.string(),
  catalogId: v.string(),
  parentId: v.pipe(v.nullable(v.string()), v.description('null: at the top level of the tree.')),
  name: v.string(),
  names,
  sortOrder: v.number(),
})

export const CountedCategoryShape = v.object({
  ...CategoryShape.entries,
  counts: v.optional(
    v.pipe(
      v.object({ direct: v.optional(v.number()), total: v.optional(v.number()) }),
      v.description(
        'On request: the number of records in the category itself, and in the category with its subcategories. Each record counts once.',
      ),
    ),
  ),
})
