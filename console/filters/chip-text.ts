// The texts of filters in the user's language. G7.
import { type Criterion, isGroup, isOnField } from '../../src/core/search/rules/criterion.ts'
import type { FieldAttribute, Locale } from '../fields/field.ts'
import { optionName } from '../fields/options.ts'
import type { ModelState, SeenSchema } from '../state/model.ts'
import { t } from '../words/place.ts'
import { ANY_ATTRIBUTE, type Chip, NO_CATEGORY } from './query.ts'

export interface Naming {
  readonly model: ModelState
  readonly schema: SeenSchema
  readonly locale: Locale
  /** Returns the name of a category, or the ID if the category is not known. */
  readonly categoryName: (id: string) => string
}

const SHOWN = 3

export function chipText(chip: Chip, naming: Naming): string {
  const { model, schema, categoryName } = naming
  switch (chip.kind) {
    case 'text':
      return t('records.chipText', { text: chip.text })
    case 'variants':
      return t(`records.variants.${chip.variants}`)
    case 'states':
      return t('records.chipStates', { values: list(chip.values, (id) => model.stateName(schema.workflowId, id)) })
    case 'categories':
      return t('records.chipCategories', {
        values: list(chip.values, (id) => (id === NO_CATEGORY ? t('none') : categoryName(id))),
      })
    case 'missing':
      return t('records.chipMissing', {
        values: list(chip.values, (alias) =>
          alias === ANY_ATTRIBUTE ? t('records.anyAttribute') : model.attributeName(schema.id, alias),
        ),
      })
    case 'where':
      return criterionText(chip.criterion, naming)
  }
}

function list(values: readonly string[], nameOf: (value: string) => string): string {
  return values.length > SHOWN ? t('records.anyOf', { count: values.length }) : values.map(nameOf).join(', ')
}

function criterionText(criterion: Criterion, naming: Naming): string {
  if (isGroup(criterion)) {
    const parts = criterion.criteria.map((inner) => criterionText(inner, naming))
    const joined = `(${parts.join(criterion.criteriaOperator === 'or' ? ' | ' : ' & ')})`
    return criterion.not === true ? t('records.not', { criterion: joined }) : joined
  }
  const { model, schema } = naming
  const scope = criterion.scope === undefined ? '' : model.scopeName(criterion.scope)
  const plain = isOnField(criterion)
    ? t(`field.${criterion.field}`)
    : model.attributeName(schema.id, criterion.attributeAlias)
  const name = scope === '' ? plain : `${plain} [${scope}]`
  const { value = '' } = criterion
  const values = typeof value === 'string' ? [value] : value
  const shown = values.map((one) => comparandText(one, criterion, naming))
  const text = criterion.operator === 'between' ? shown.join(' – ') : list(shown, (one) => one)
  const { operator } = criterion
  if (operator === 'isEmpty' || operator === 'isNotEmpty') return t(`records.op.${operator}`, { name })
  return t(`records.op.${operator}`, { name, value: text })
}

function comparandText(value: string, criterion: Criterion, { model, schema, locale, categoryName }: Naming): string {
  if (isGroup(criterion)) return value
  if (!isOnField(criterion)) {
    const attribute = schema.rules.attribute(criterion.attributeAlias)
    return attribute === undefined ? value : valueText(value, attribute, locale)
  }
  if (criterion.field === 'lifecycleStateId') return model.stateName(schema.workflowId, value)
  if (criterion.field === 'categoryId') return categoryName(value)
  if (criterion.field === 'missing') return model.attributeName(schema.id, value)
  return value
}

/** A value in the text form of a criterion. */
export function valueText(value: string, attribute: FieldAttribute, locale: Locale): string {
  if (attribute.dataType === 'select' || attribute.dataType === 'multiSelect')
    return optionName(value, attribute, locale)
  if (attribute.dataType === 'boolean') return value === 'true' ? locale.yes : locale.no
  return value
}
