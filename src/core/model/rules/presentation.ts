// The presentation of a schema's records to people: the label attribute, the groups of attributes, and the attributes
// that variants differ in. It decides nothing about values. Contract 3 §7, 3 §11.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { Alias, firstDuplicate, Id, listOf, Name } from '../../../kernel/input/validation.ts'
import type { Attribute } from './attributes.ts'
import { keepNames, type Named, NamesInput } from './names.ts'

export const GroupInput = v.object({
  id: Id,
  name: v.optional(Name),
  names: v.optional(NamesInput),
  attributeAliases: listOf(Alias, 1000),
})

/** Members of a schema. */
export const presentationInput = {
  labelAttribute: v.optional(v.nullable(Alias)),
  imageAttribute: v.optional(v.nullable(Alias)),
  groups: v.optional(listOf(GroupInput, 200)),
  variantAttributes: v.optional(listOf(Alias, 1000)),
}
const PresentationInput = v.object(presentationInput)

interface Group extends Named {
  readonly id: string
  readonly attributeAliases: readonly string[]
}

/** Absent members stay absent. */
export interface Presentation {
  readonly labelAttribute?: string | undefined
  readonly imageAttribute?: string | undefined
  readonly groups?: readonly Group[] | undefined
  readonly variantAttributes?: readonly string[] | undefined
}

/** @throws VALIDATION_ERROR naming an alias that is unknown or listed twice, or a group ID that occurs twice */
export function definePresentation(
  input: v.InferOutput<typeof PresentationInput>,
  attributes: readonly Pick<Attribute, 'alias' | 'dataType'>[],
): Presentation {
  const { groups = [], variantAttributes = [] } = input
  const labels = typeof input.labelAttribute === 'string' ? [input.labelAttribute] : []
  const images = typeof input.imageAttribute === 'string' ? [input.imageAttribute] : []
  const known = new Set(attributes.map(({ alias }) => alias))
  assertAliases('labelAttribute', labels, known)
  assertAliases('imageAttribute', images, known)
  const image = attributes.find(({ alias }) => alias === images[0])
  if (image !== undefined && !['file', 'references'].includes(image.dataType))
    throw invalid(`imageAttribute names '${image.alias}', which is neither a file nor a list of references`)
  assertAliases('variantAttributes', variantAttributes, known)
  const twice = firstDuplicate(groups.map(({ id }) => id))
  if (twice !== undefined) throw invalid(`groups: the ID '${twice}' occurs twice`)
  groups.forEach((group, index) => assertAliases(`groups[${index}].attributeAliases`, group.attributeAliases, known))
  return {
    ...(labels.length === 0 ? {} : { labelAttribute: labels[0] }),
    ...(images.length === 0 ? {} : { imageAttribute: images[0] }),
    ...(groups.length === 0 ? {} : { groups: groups.map(defineGroup) }),
    ...(variantAttributes.length === 0 ? {} : { variantAttributes }),
  }
}

function defineGroup({ id, name = id, names, attributeAliases }: v.InferOutput<typeof GroupInput>): Group {
  return { id, name, ...keepNames(names), attributeAliases }
}

function assertAliases(field: string, aliases: readonly string[], known: ReadonlySet<string>): void {
  const unknown = aliases.find((alias) => !known.has(alias))
  if (unknown !== undefined) throw invalid(`${field} names '${unknown}', which is not an attribute of the schema`)
  const twice = firstDuplicate(aliases)
  if (twice !== undefined) throw invalid(`${field} lists '${twice}' twice`)
}
