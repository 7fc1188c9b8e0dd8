// The OpenAPI document of the page: types, resolved references, the list of operations.

/**
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {string} [title]
 * @property {string} [description]
 * @property {string} [format]
 * @property {string} [pattern]
 * @property {readonly unknown[]} [enum]
 * @property {unknown} [const]
 * @property {unknown} [default]
 * @property {readonly unknown[]} [examples]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {Schema} [additionalProperties]
 * @property {readonly string[]} [required]
 * @property {readonly Schema[]} [anyOf]
 * @property {readonly Schema[]} [allOf]
 * @property {readonly Schema[]} [oneOf]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {number} [maxProperties]
 *
 * @typedef {{ schema: Schema, example?: unknown, examples?: Record<string, { value: unknown }> }} Media
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema: Schema }} Parameter
 * @typedef {{ description: string, schema: Schema }} Header
 * @typedef {{ description: string, headers?: Record<string, unknown>, content?: Record<string, Media> }} Response
 *
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} summary
 * @property {string} [description]
 * @property {string} [x-permission]
 * @property {readonly string[]} tags
 * @property {readonly Record<string, unknown>[]} [security]
 * @property {readonly unknown[]} [parameters]
 * @property {{ required?: boolean, content: Record<string, Media> }} [requestBody]
 * @property {Record<string, unknown>} responses
 *
 * @typedef {object} Document
 * @property {{ title: string, version: string, description: string }} info
 * @property {readonly { name: string, description: string }[]} tags
 * @property {Record<string, Record<string, Operation>>} paths
 * @property {{ schemas: Record<string, Schema> }} components
 *
 * @typedef {{ method: string, path: string, operation: Operation }} Endpoint
 */

/**
 * The part itself, or the part that its $ref names. The caller knows the type.
 *
 * @param {Document} document
 * @param {unknown} part
 * @returns {unknown}
 */
export function follow(document, part) {
  const { $ref } = /** @type {{ $ref?: string }} */ (part)
  if ($ref === undefined) return part
  /** @type {any} */
  let found = document
  for (const key of $ref.split('/').slice(1)) found = found[key]
  return found
}

/** `#/components/schemas/Record` → `Record` @param {string} ref */
export function nameOf(ref) {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** In the order of the document. @param {Document} document @returns {Endpoint[]} */
export function listEndpoints({ paths }) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => ({ method: name.toUpperCase(), path, operation })),
  )
}

/** The first example of a body or answer. @param {Media} media */
export function firstExample({ example, examples }) {
  return example ?? Object.values(examples ?? {})[0]?.value
}
