// From one route to its operation in the OpenAPI document, with its parameters: path, query and headers.
import { STATUS_CODES } from 'node:http'
import type * as v from 'valibot'
import type { ErrorCode } from '../../kernel/errors.ts'
import type { Route, ObjectSchema } from '../route.ts'
import { takesKey } from '../answers/error-replies.ts'
import type { Components } from './component.ts'
import { describeErrorResponse, errorResponseName, errorsByStatus } from './error-responses.ts'
import { conditionsOf, type HeaderName, headerRefs } from './headers.ts'
import { type JsonSchema, type JsonSchemas, nameOfRef } from './json-schemas.ts'
import type { Content, MediaType, Operation, Reference, Response, Parameter } from './document-model.ts'
import { tagOf } from './tags.ts'
import { splitPath } from '../pipeline/router.ts'
import { EXAMPLE_IDS } from './example-ids.ts'

export interface OperationContext {
  readonly schemas: JsonSchemas
  readonly components: Components
}

/** Every schema that `describeOperation` will ask for. */
export function schemasOf({ params, query, body, responses, jsonShape }: Route): v.GenericSchema[] {
  const fields = [params, query].flatMap((object) => Object.values<v.GenericSchema>(object?.entries ?? {}))
  const bodies = [body, jsonShape, ...Object.values(responses)].filter(
    (schema) => schema !== undefined && schema !== null,
  )
  return [...fields, ...bodies]
}

/** `otherPath`: a second path of the route. */
export function describeOperation(route: Route, context: OperationContext, otherPath?: string): Operation {
  const { id, summary, access } = route
  const description = describe(route, otherPath)
  const parameters = describeParameters(route, context.schemas)
  const requestBody = describeBody(route, context)
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary,
    ...(description === '' ? {} : { description }),
    ...(isPermission(access) ? { 'x-permission': access } : {}),
    ...(access === 'public' ? { security: route.needsToken === true ? [{ bearer: [] }] : [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: describeResponses(route, context),
  }
}

function describe({ description, access }: Route, otherPath: string | undefined): string {
  const place = otherPath === undefined ? undefined : `Answers at \`${otherPath}\` as well.`
  const permission = isPermission(access) ? `Needs the permission \`${access}\`.` : undefined
  return [description, place, permission].filter((text) => text !== undefined).join('\n\n')
}

function isPermission(access: Route['access']): boolean {
  return access !== 'public' && access !== 'authenticated'
}

function describeBody({ body, stream, examples = {} }: Route, context: OperationContext): Operation['requestBody'] {
  if (stream !== undefined) return { required: true, content: textContent(stream, examples, () => ({})) }
  if (body === undefined) return undefined
  return { required: body.type !== 'optional', content: { 'application/json': jsonContent(body, context) } }
}

function describeResponses(route: Route, context: OperationContext): Operation['responses'] {
  const responses: Record<string, Response | Reference> = {}
  for (const [status, schema] of Object.entries(route.responses))
    responses[status] = describeSuccess(route, Number(status), schema, context)
  if (conditionsOf(route).includes('If-None-Match'))
    responses[304] = { description: 'Not modified: the client has the current version.', headers: headerRefs(['ETag']) }
  for (const [status, codes] of errorsByStatus(route)) {
    const declared = responses[status]
    const response = { $ref: `#/components/responses/${errorResponseName(codes)}` }
    responses[status] = declared === undefined ? response : either(declared as Response, codes, context.schemas)
  }
  return responses
}

function describeSuccess(
  route: Route,
  status: number,
  schema: v.GenericSchema | null,
  context: OperationContext,
): Response {
  const names: readonly HeaderName[] = status < 300 ? headersOf(route) : status < 400 ? ['Location'] : []
  const response = { description: STATUS_CODES[status] ?? '', headers: headerRefs(names) }
  if (schema === null) return response
  if (route.mediaTypes !== undefined)
    return {
      ...response,
      content: textContent(route.mediaTypes, route.examples ?? {}, () => jsonShapeOf(route, context)),
    }
  return { ...response, content: { 'application/json': jsonContent(schema, context) } }
}

function headersOf(route: Route): readonly HeaderName[] {
  return [...(route.headers ?? []), ...(takesKey(route) ? (['Idempotency-Replayed'] as const) : [])]
}

/** A status that the route answers with by itself, and that an error has too. */
function either(declared: Response, codes: readonly ErrorCode[], schemas: JsonSchemas): Response {
  const error = describeErrorResponse(codes, schemas)
  const [one, other] = [declared.content!['application/json']!, error.content!['application/json']!]
  const examples = { ...other.examples, answer: { value: one.example } }
  const names = [one, other].map(({ schema }) => nameOfRef(schema.$ref!))
  const either = { anyOf: [one.schema, other.schema], examples: [one.example as never] }
  return {
    description: `${declared.description}\n\n${error.description}`,
    headers: { ...declared.headers, ...error.headers },
    content: { 'application/json': { schema: schemas.nameAs(names.join('Or'), either), examples } },
  }
}

function jsonContent(schema: v.GenericSchema, { schemas, components }: OperationContext): MediaType {
  const { variants } = Object.values(components).find((component) => component.schema === schema) ?? {}
  if (variants !== undefined) {
    const examples = Object.entries(variants).map(([name, value]) => [name, { value }])
    return { schema: schemas.ofContent(schema), examples: Object.fromEntries(examples) as MediaType['examples'] }
  }
  const example = exampleOf(schema, components)
  return { schema: schemas.ofContent(schema), ...(example === undefined ? {} : { example }) }
}

/** The example of a component, or of a list of one. */
function exampleOf(schema: v.GenericSchema, components: Components): unknown {
  const named = Object.values(components).find((component) => component.schema === schema)
  if (named !== undefined) return named.example
  if ('wrapped' in schema) return exampleOf(schema.wrapped as v.GenericSchema, components)
  if (schema.type !== 'array') return undefined
  const item = exampleOf((schema as unknown as { item: v.GenericSchema }).item, components)
  return item === undefined ? undefined : [item]
}

function jsonShapeOf({ id, jsonShape }: Route, { schemas }: OperationContext): JsonSchema {
  if (jsonShape === undefined) throw new Error(`${id} answers JSON as text without saying its jsonShape`)
  return schemas.ofContent(jsonShape)
}

/** Bodies that are text to pimlet, JSON among them. */
function textContent(
  types: readonly string[],
  examples: Readonly<Record<string, string>>,
  shapeOfJson: () => JsonSchema,
): Content {
  const entries = types.map((type): [string, MediaType] => {
    const text = examples[type]
    if (type === 'application/json') return [type, { schema: shapeOfJson(), example: JSON.parse(text ?? 'null') }]
    return [type, { schema: { type: 'string' }, ...(text === undefined ? {} : { example: text }) }]
  })
  return Object.fromEntries(entries)
}

/** Path segment → the resource that the following `:id` names, and an example of the ID. */
const RESOURCES: Readonly<Record<string, { readonly name: string; readonly example: string }>> = {
  'api-keys': { name: 'API key', example: EXAMPLE_IDS.apiKey },
  'bulk-jobs': { name: 'bulk job', example: EXAMPLE_IDS.bulkJob },
  catalogs: { name: 'catalog', example: 'cat-web' },
  categories: { name: 'category', example: 'ctg-shirts' },
  dimensions: { name: 'dimension', example: 'language' },
  'export-jobs': { name: 'export job', example: EXAMPLE_IDS.exportJob },
  records: { name: 'record', example: EXAMPLE_IDS.record },
  'rendition-presets': { name: 'rendition preset', example: 'square' },
  roles: { name: 'role', example: 'role-translator' },
  runs: { name: 'run', example: EXAMPLE_IDS.exportRun },
  'saved-queries': { name: 'saved query', example: EXAMPLE_IDS.savedQuery },
  schemas: { name: 'schema', example: 'sch-shirt' },
  users: { name: 'user', example: EXAMPLE_IDS.user },
  workflows: { name: 'workflow', example: 'wf-default' },
}
const ATTRIBUTE = { description: "Alias of an attribute of the record's schema.", example: 'name' }
const GUIDE = { description: 'Name of the guide.', example: 'search' }
const PRESET = { description: 'ID of the rendition preset.', example: 'thumb' }
const SIGNATURE = {
  description: 'ID of the picture, with a proof that this workspace gave the address.',
  example: 'WJG1tSLV3whtD_CxEPvZ0hu0-HH8…',
}
const HASH = {
  description: 'ID of the file: the SHA-256 of its bytes.',
  example: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
}
const FILE = { description: 'Name of the file.', example: 'page.css' }

/** `/records/:id` → `/records/{id}` */
export function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function describeParameters(route: Route, schemas: JsonSchemas): (Parameter | Reference)[] {
  const names = [...conditionsOf(route), ...(takesKey(route) ? ['Idempotency-Key'] : [])]
  const headers = names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  return [...describePath(route, schemas), ...describeQuery(route.query, schemas), ...headers]
}

function describePath({ path, params }: Route, schemas: JsonSchemas): Parameter[] {
  const segments = splitPath(path)
  return segments.flatMap((segment, index): Parameter[] => {
    if (!segment.startsWith(':')) return []
    const name = segment.slice(1)
    const declared = params?.entries[name]
    const schema = declared === undefined ? { type: 'string' as const } : schemas.of(declared)
    const { description, example } = meaningOf(name, segments[index - 1]!)
    return [{ name, in: 'path', required: true, description, schema: { ...schema, examples: [example] } }]
  })
}

function meaningOf(name: string, before: string): { readonly description: string; readonly example: string } {
  if (name === 'attr') return ATTRIBUTE
  if (name === 'file') return FILE
  if (name === 'guide') return GUIDE
  if (name === 'sha256') return HASH
  if (name === 'preset') return PRESET
  if (name === 'signature') return SIGNATURE
  if (name === 'fileName') return FILE
  const { name: resource, example } = RESOURCES[before] ?? { name: before, example: 'id' }
  return { description: `ID of the ${resource}.`, example }
}

function describeQuery(query: ObjectSchema | undefined, schemas: JsonSchemas): Parameter[] {
  return Object.entries<v.GenericSchema>(query?.entries ?? {}).map(([name, entry]) => {
    const { description, ...schema } = schemas.of(entry)
    const required = entry.type !== 'optional'
    return { name, in: 'query', required, ...(description === undefined ? {} : { description }), schema }
  })
}
