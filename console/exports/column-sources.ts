// The sources of a column: attributes, those of referred records, fields, categories. Contract 3 §5, 4 §4.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { ModelState } from '../state/model.ts'
import { t } from '../words/place.ts'
import { FEED_FIELDS, type FeedColumn, type NamedSource } from './feed-columns.ts'

/** Returns the attributes of the schema, or of all schemas: each alias once. */
export function readable(model: ModelState, schemaId: string | null): readonly Attribute[] {
  const schemas = model.schemas.value.filter(({ id }) => schemaId === null || id === schemaId)
  const all = schemas.flatMap(({ id, attributes }) =>
    attributes.filter(({ alias }) => model.access(id, alias) !== 'none').map((one) => [one.alias, one] as const),
  )
  return [...new Map(all.toReversed()).values()].toReversed()
}

export function sourcesOf(model: ModelState, attributes: readonly Attribute[]): NamedSource[] {
  return [
    ...attributes.flatMap((attribute) => sourcesOfAttribute(model, attribute)),
    ...attributes.flatMap((attribute) => linkedSources(model, attribute)),
    ...FEED_FIELDS.map((field) => ({ id: `.${field}`, name: field })),
    ...(model.workspace.value?.catalogs ?? []).map(({ id, name }) => ({
      id: `/${id}`,
      name: t('exports.pathIn', { catalog: name }),
    })),
    { id: '{}', name: t('exports.composed') },
    { id: '#', name: t('exports.constant') },
  ]
}

function sourcesOfAttribute(model: ModelState, attribute: Attribute): NamedSource[] {
  const name = model.nameOf(attribute)
  const { unitField: unit, files } = dataTypeOf(attribute)
  const whole = { id: attribute.alias, name, detail: attribute.alias }
  const ofFile = files === undefined ? [] : [{ id: `${attribute.alias}#url`, name: t('exports.addressOf', { name }) }]
  return unit === undefined
    ? [whole, ...ofFile]
    : [whole, { id: `${attribute.alias}#${unit}`, name: `${name} ${unit}` }]
}

/** Attributes of the records that an attribute names. */
function linkedSources(model: ModelState, attribute: Attribute): NamedSource[] {
  return linkedAttributes(model, attribute)
    .flatMap((linked) => sourcesOfAttribute(model, linked))
    .map((source) => ({
      id: `${attribute.alias}>${source.id}`,
      name: `${model.nameOf(attribute)} › ${source.name}`,
    }))
}

function linkedAttributes(model: ModelState, { validation: { schemaId } }: Attribute): readonly Attribute[] {
  return schemaId === undefined ? [] : readable(model, schemaId)
}

/** Returns the dimensions that a column's scope may name. */
export function dimensionsOf(
  model: ModelState,
  attributes: readonly Attribute[],
  column: FeedColumn,
): readonly string[] {
  const { attributeAlias, via } = column
  const attribute = attributes.find(({ alias }) => alias === attributeAlias)
  const linked = attribute && via !== undefined ? linkedAttributes(model, attribute) : []
  const read = [attribute, linked.find(({ alias }) => alias === via)]
  return [...new Set(read.flatMap((one) => one?.dimensionIds ?? []))]
}
