// The words that the filter searches. For an endpoint: its texts, and the texts of its fields. For a schema: its name,
// its fields and their texts.
import { follow, nameOf } from './document.js'

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').Schema} Schema */

/** The names of an endpoint: a match in them ranks first. @param {import('./document.js').Endpoint} endpoint */
export function nameWords({ method, path, operation }) {
  return [method, path, operation.operationId, operation.summary, ...operation.tags].join(' ').toLowerCase()
}

/** @param {Document} document */
export function createWordFinder(document) {
  /** @type {Map<string, string>} */
  const known = new Map()

  /** @param {Schema} schema @returns {string} */
  function wordsOf({ $ref, description = '', properties = {}, ...schema }) {
    if ($ref !== undefined) return `${description} ${wordsOfNamed(nameOf($ref))}`
    const { items, additionalProperties, anyOf = [], allOf = [], oneOf = [], enum: choices = [], title = '' } = schema
    const inner = [items, additionalProperties, ...anyOf, ...allOf, ...oneOf, ...Object.values(properties)]
    const constant = schema.const === undefined ? [] : [schema.const]
    return [
      description,
      title,
      ...choices.map(String),
      ...constant.map(String),
      ...Object.keys(properties),
      ...inner.map((part) => (typeof part === 'object' ? wordsOf(part) : '')),
    ].join(' ')
  }

  /** @param {unknown} part of the responses */
  function contentOf(part) {
    const { content } = /** @type {import('./document.js').Response} */ (follow(document, part))
    return content
  }

  /** @param {string} name */
  function wordsOfNamed(name) {
    const found = known.get(name)
    if (found !== undefined) return found
    // Registered first, so that a recursive schema is visited once.
    known.set(name, name)
    const words = `${name} ${wordsOf(document.components.schemas[name] ?? {})}`.toLowerCase()
    known.set(name, words)
    return words
  }

  return {
    wordsOfNamed,

    /** @param {import('./document.js').Endpoint} endpoint */
    wordsOfEndpoint(endpoint) {
      const { description = '', parameters = [], requestBody, responses } = endpoint.operation
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const contents = [requestBody?.content, ...successes.map(([, part]) => contentOf(part))]
      const schemas = contents.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema))
      const said = parameters.map((part) => {
        const parameter = /** @type {import('./document.js').Parameter} */ (follow(document, part))
        return `${parameter.name} ${parameter.description ?? ''}`
      })
      return [nameWords(endpoint), description, ...said, ...schemas.map(wordsOf)].join(' ').toLowerCase()
    },
  }
}

/** Whether every word of the text is among the words. @param {string} words @param {string} text */
export function hasWords(words, text) {
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
