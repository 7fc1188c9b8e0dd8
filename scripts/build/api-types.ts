// Makes `console/api/types.ts` from the server's routes, so that undeclared endpoints do not compile in the console.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeOpenApi } from '../../src/docs-host/documentation.ts'
import type { Content, OpenApiDocument, Operation } from '../../src/http/openapi/document-model.ts'
import type { JsonSchema } from '../../src/http/openapi/json-schemas.ts'

const FILE = path.resolve(import.meta.dirname, '../../console/api/types.ts')
const HEAD = `// Made by scripts/build/api-types.ts from the OpenAPI document: npm run make:types makes it.

/** The sent body, and the body of a successful answer; undefined: none. */
export interface Endpoint<Params, Query, Body, Reply> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly reply: Reply
}

/** An object without members: undeclared members do not fit. */
export interface None {
  readonly [name: string]: never
}
`

function typesOf({ paths, components }: OpenApiDocument): string {
  const shapes = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`)
  const endpoints = Object.entries(paths).flatMap(([address, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${address.replaceAll(/\{(\w+)\}/g, ':$1')}`
      return `  /** ${operation.summary} */\n  '${name}': ${endpointOf(operation)}\n`
    }),
  )
  return `${HEAD}\nexport interface Endpoints {\n${endpoints.join('')}}\n\n${shapes.join('\n')}`
}

function endpointOf({ parameters = [], requestBody, responses }: Operation): string {
  const given = (place: string): string => {
    const found = parameters.flatMap((one) => ('$ref' in one || one.in !== place ? [] : [one]))
    return objectOf(
      found.map(({ name, required, schema }) => `${memberOf(name, schema, required)}${required ? '' : ' | undefined'}`),
    )
  }
  const body = requestBody === undefined ? 'undefined' : contentOf(requestBody.content, 'Blob')
  const replies = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && !('$ref' in response) ? [contentOf(response.content, 'string')] : [],
  )
  const isOptional = requestBody?.required === false
  return `Endpoint<${given('path')}, ${given('query')}, ${body}${isOptional ? ' | undefined' : ''}, ${union(replies)}>`
}

/** @param other the type for content that is not JSON */
function contentOf(content: Content | undefined, other: string): string {
  if (content === undefined) return 'undefined'
  return union(Object.entries(content).map(([type, { schema }]) => (isJson(type) ? typeOf(schema) : other)))
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json'
}

function typeOf(schema: JsonSchema): string {
  const { $ref, enum: choices, oneOf, anyOf = oneOf, allOf, type, properties } = schema as Schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (choices !== undefined) return union(choices.map((choice) => JSON.stringify(choice)))
  const parts = (allOf ?? []).map(typeOf)
  if (anyOf !== undefined) parts.push(`(${union(anyOf.map(typeOf))})`)
  if (properties !== undefined || parts.length === 0)
    parts.push(Array.isArray(type) ? union(type.map((one) => simpleType(schema, one))) : simpleType(schema, type))
  return parts.join(' & ')
}

interface Schema {
  readonly $ref?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly type?: string | readonly string[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
}

function simpleType(schema: JsonSchema, type: unknown): string {
  const { items = {}, properties = {}, required = [], additionalProperties: others } = schema as Schema
  if (type === 'integer') return 'number'
  if (type === 'array') return `readonly (${typeOf(items)})[]`
  if (type !== 'object') return typeof type === 'string' ? type : 'unknown'
  const members = Object.entries(properties).map(([name, member]) => memberOf(name, member, required.includes(name)))
  // A member of a map must also fit all named members.
  if (members.length > 0 && others !== undefined && others !== false)
    return `${objectOf(members)} & ${mapOf('unknown')}`
  if (members.length > 0 || others === false) return objectOf(members)
  return mapOf(typeof others === 'object' ? typeOf(others) : 'unknown')
}

function memberOf(name: string, schema: JsonSchema, isRequired: boolean): string {
  return `readonly '${name}'${isRequired ? '' : '?'}: ${typeOf(schema)}`
}

function objectOf(members: readonly string[]): string {
  return members.length === 0 ? 'None' : `{ ${members.join('; ')} }`
}

function mapOf(type: string): string {
  return `{ readonly [name: string]: ${type} }`
}

function union(types: readonly string[]): string {
  return types.length === 0 ? 'undefined' : [...new Set(types)].join(' | ')
}

const text = typesOf(await makeOpenApi())
mkdirSync(path.dirname(FILE), { recursive: true })
// An unchanged file keeps its modification time.
if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) writeFileSync(FILE, text)
