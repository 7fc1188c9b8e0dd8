// The facts of a schema in a few words.
import { nameOf } from './document.js'

/** @typedef {import('./document.js').Schema} Schema */

/** `string (date-time)`, `list of Record`, `integer or null` @param {Schema} schema @returns {string} */
export function typeWords(schema) {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const { anyOf, allOf, oneOf, items, additionalProperties, type, format, title } = schema
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeWords))].join(' or ')
  if (oneOf !== undefined && schema.properties === undefined) return [...new Set(oneOf.map(typeWords))].join(' or ')
  if (allOf !== undefined)
    return [...new Set(allOf.map(typeWords).filter((words) => words !== 'anything'))].join(' and ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeWords(items)}`
  if (title !== undefined && type === 'object') return title
  if (type === 'object' && typeof additionalProperties === 'object') return `map of ${typeWords(additionalProperties)}`
  if (type === undefined) return 'anything'
  const name = Array.isArray(type) ? type.join(' or ') : type
  return format === undefined ? name : `${name} (${format})`
}

/** The bounds of a value, one text each. @param {Schema} schema @returns {string[]} */
export function limitWords(schema) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties, pattern } = schema
  const said = [
    rangeWords(minimum, maximum, ''),
    rangeWords(minLength, maxLength, ' characters'),
    rangeWords(minItems, maxItems, ' items'),
    rangeWords(undefined, maxProperties, ' entries'),
    pattern === undefined ? undefined : pattern === String.raw`\S` ? 'not blank' : `matches ${pattern}`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
  return said.filter((text) => text !== undefined)
}

/** @param {number | undefined} least @param {number | undefined} most @param {string} unit */
function rangeWords(least, most, unit) {
  if (least === undefined && most === undefined) return undefined
  if (most === undefined) return `at least ${least}${unit}`
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`
}

/**
 * The choices of a value, if it has a fixed list, also inside `… or null`.
 *
 * @param {Schema} schema
 * @returns {readonly unknown[]}
 */
export function choicesOf(schema) {
  if (schema.enum !== undefined) return schema.enum
  return [schema.items, ...(schema.anyOf ?? [])].flatMap((part) => (part === undefined ? [] : choicesOf(part)))
}

/**
 * The nested schemas with fields of their own, which the page can unfold.
 *
 * @param {Schema} schema
 * @returns {Schema[]}
 */
export function innerSchemas(schema) {
  if (schema.$ref !== undefined || schema.properties !== undefined) return [schema]
  const { items, additionalProperties, anyOf = [], allOf = [], oneOf = [] } = schema
  const parts = [items, additionalProperties, ...anyOf, ...allOf, ...oneOf]
  return parts.flatMap((part) => (typeof part === 'object' ? innerSchemas(part) : []))
}
