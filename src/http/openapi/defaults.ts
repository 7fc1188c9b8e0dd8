// Defaults of members, said in words. A generator that reads the keyword `default` makes the member required
// (openapi-typescript does): right of an answer, but wrong of a body, whose members with a default may be missing.
import type { JsonSchema } from './json-schemas.ts'

type Members = Readonly<Record<string, JsonSchema>>

/** The schema and all inside it, each `default` at the end of its description. */
export function withDefaultsInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  const said = { ...schema, ...insides(schema) }
  if (value === undefined) return said
  const words = `Default: \`${JSON.stringify(value)}\`.`
  const { description } = schema
  return { ...said, description: description === undefined ? words : `${description} ${words}` }
}

function insides({ properties, items, additionalProperties, anyOf, allOf, oneOf }: JsonSchema): JsonSchema {
  return {
    ...(properties === undefined ? {} : { properties: ofMembers(properties as Members) }),
    ...(isSchema(items) ? { items: withDefaultsInWords(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: withDefaultsInWords(additionalProperties) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonSchema[]).map(withDefaultsInWords) }),
    ...(allOf === undefined ? {} : { allOf: (allOf as JsonSchema[]).map(withDefaultsInWords) }),
    ...(oneOf === undefined ? {} : { oneOf: (oneOf as JsonSchema[]).map(withDefaultsInWords) }),
  }
}

function ofMembers(properties: Members): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withDefaultsInWords(field)]))
}

function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}
