// Finds the attribute, or the part of an attribute, that a criterion or facet names.
import type { ValuePart } from '../../datatypes/data-type.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import type { Schema } from '../../model/rules/model.ts'
import { aliasOfPart } from '../../values/value-parts.ts'

/** The place of values that a criterion or facet names. */
interface AskedPlace {
  readonly attributeAlias: string
  readonly part?: ValuePart | undefined
}

/** Returns the alias of the attribute or part in the index. */
export function searchedAlias({ attributeAlias, part }: AskedPlace): string {
  return part === undefined ? attributeAlias : aliasOfPart(attributeAlias, part)
}

export function findSearched(schema: Schema, asked: AskedPlace): Attribute | undefined {
  const { attributeAlias, part } = asked
  return part === undefined ? schema.attribute(attributeAlias) : schema.searchedAttribute(searchedAlias(asked))
}
