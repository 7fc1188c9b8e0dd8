// Shows a schema: its fields, their possible values, and nested fields, unfolded on demand.
import { follow, nameOf } from './document.js'
import { el, fold, inline } from './dom.js'
import { choicesOf, innerSchemas, limitWords, typeWords } from './words.js'

/** @typedef {import('./document.js').Schema} Schema */
/** @typedef {import('./document.js').Document} Document */

/** @param {Document} document @param {Schema} schema @returns {HTMLElement} */
export function schemaView(document, schema) {
  const target = /** @type {Schema} */ (follow(document, schema))
  if (target.properties !== undefined) return fieldList(document, target)
  if (target.items?.$ref !== undefined) return schemaView(document, target.items)
  return el('div', { class: 'value' }, ...facts(document, target))
}

/** @param {Document} document @param {Schema} schema */
function fieldList(document, { properties = {}, required = [], oneOf = [] }) {
  const rows = Object.entries(properties).map(([name, field]) =>
    el(
      'li',
      {},
      el('code', { class: 'name' }, name),
      required.includes(name) ? el('span', { class: 'required' }, 'required') : undefined,
      ...facts(document, field),
    ),
  )
  const choices = oneOf.map((part) => fold({ class: 'inner' }, [innerTitle(part)], () => [schemaView(document, part)]))
  const oneMore =
    choices.length === 0 ? [] : [el('li', {}, el('div', { class: 'says' }, 'And the fields of one of:'), ...choices)]
  return el('ul', { class: 'fields' }, ...rows, ...oneMore)
}

/** Type, bounds, choices, description and nested fields. @param {Document} document @param {Schema} schema */
export function facts(document, schema) {
  const choices = choicesOf(schema)
  const inner = innerSchemas(schema)
  return [
    el('span', { class: 'type' }, typeWords(schema)),
    ...limitWords(schema).map((text) => el('span', { class: 'limit' }, text)),
    choices.length === 0
      ? undefined
      : el('div', { class: 'choices' }, ...choices.map((choice) => el('code', {}, String(choice)))),
    schema.description === undefined ? undefined : el('div', { class: 'says' }, ...inline(schema.description)),
    ...inner.map((part) => fold({ class: 'inner' }, [innerTitle(part)], () => [schemaView(document, part)])),
  ]
}

/** @param {Schema} schema */
function innerTitle({ $ref, title }) {
  return $ref === undefined ? (title ?? 'fields') : nameOf($ref)
}
