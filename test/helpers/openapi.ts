// Splits the OpenAPI document into pieces for tests, and checks examples against its schemas.
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { MediaType, OpenApiDocument, Operation, Response } from '../../src/http/openapi/document-model.ts'

export interface Described {
  /** `GET /api/v1/records/{id}` */
  readonly name: string
  readonly operation: Operation
}

export function operationsOf({ paths }: OpenApiDocument): Described[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
}

export function operation(document: OpenApiDocument, id: string): Operation {
  const found = operationsOf(document).find((described) => described.operation.operationId === id)
  if (found === undefined) throw new Error(`No operation ${id}`)
  return found.operation
}

/** Returns the response, with its $ref resolved. */
export function responseOf(document: OpenApiDocument, { responses }: Operation, status: number | string): Response {
  return follow<Response>(document, responses[status])
}

/** @throws Error for a reference without a target */
export function follow<Part>(document: OpenApiDocument, part: unknown): Part {
  const { $ref } = (part ?? {}) as { $ref?: string }
  if ($ref === undefined) return part as Part
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
  if (found === undefined) throw new Error(`${$ref} leads nowhere`)
  return found as Part
}

/** Returns every body and response with content: its place, media type and description. */
export function contentsOf(document: OpenApiDocument): { where: string; type: string; media: MediaType }[] {
  return operationsOf(document).flatMap(({ name, operation: { requestBody, responses } }) => {
    const contents = Object.keys(responses).map((status) => ({
      where: `${name} ${status}`,
      content: follow<Response>(document, responses[status]).content ?? {},
    }))
    return [{ where: `${name} body`, content: requestBody?.content ?? {} }, ...contents].flatMap(({ where, content }) =>
      Object.entries(content).map(([type, media]) => ({ where, type, media })),
    )
  })
}

export function examplesOf({ example, examples = {} }: MediaType): unknown[] {
  const named = Object.values(examples).map(({ value }) => value)
  return example === undefined ? named : [example, ...named]
}

/** Returns the fault of a value by a schema of the document, or undefined. */
export function createChecker(document: OpenApiDocument): (schema: object, value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
  ;(addFormats as unknown as (target: Ajv2020) => void)(ajv)
  ajv.addKeyword('components')
  ajv.addSchema({ $id: 'pimlet', components: { schemas: document.components.schemas } })
  const compiled = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"pimlet#/components/')
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object)
    compiled.set(text, check)
    return check(value) ? undefined : ajv.errorsText(check.errors)
  }
}
