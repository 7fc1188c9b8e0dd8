// For tests: every answer must match the declaration of its route, so that the documentation cannot drift from the service.
import * as v from 'valibot'
import type { PimletError } from '../../kernel/errors.ts'
import { own } from '../../kernel/own.ts'
import { isSameValue } from '../../kernel/text.ts'
import { errorsOf } from './error-replies.ts'
import type { PreparedRoute } from '../pipeline/prepared-route.ts'
import type { Answer } from './response.ts'
import { ROUTE_HEADERS } from '../route.ts'

/** Keys that valibot ignores in maps, as a guard against prototype pollution. */
const PASSED_OVER = new Set(['__proto__', 'prototype', 'constructor'])

/** @throws Error if status or body do not match the declaration; undeclared fields do not match */
export function assertDeclaredAnswer(prepared: PreparedRoute, answer: Answer): void {
  const { id, responses } = prepared.route
  assertDeclaredHeaders(prepared, answer)
  if (answer.status === 304 || answer.stream !== undefined) return
  const schema = responses[answer.status]
  if (schema === undefined) throw new Error(`${id} does not declare the status ${answer.status}`)
  if (schema === null) {
    if (answer.text !== undefined) throw new Error(`${id} declares no body for ${answer.status}`)
    return
  }
  if (answer.file !== undefined) return assertDeclaredMediaType(prepared, answer.mediaType)
  if (answer.text === undefined) throw new Error(`${id} answered no body for ${answer.status}`)
  assertDeclaredMediaType(prepared, answer.mediaType)
  const body: unknown = answer.mediaType === undefined ? JSON.parse(answer.text) : answer.text
  const result = v.safeParse(schema, body)
  if (!result.success)
    throw new Error(`${id} answered what it does not declare: ${JSON.stringify(v.flatten(result.issues))}`)
  const undeclared = findUndeclared(body, result.output, '')
  if (undeclared !== undefined) throw new Error(`${id} answered the undeclared field ${undeclared}`)
}

function assertDeclaredHeaders({ route: { id, headers: declared = [] } }: PreparedRoute, answer: Answer): void {
  for (const name of ROUTE_HEADERS)
    if (answer.headers.includes(name) && !declared.includes(name))
      throw new Error(`${id} does not declare the header ${name}`)
  if (answer.status >= 300) return
  if (declared.includes('ETag') && !answer.headers.includes('ETag')) throw new Error(`${id} answered without its ETag`)
}

function assertDeclaredMediaType({ route: { id, mediaTypes } }: PreparedRoute, answered: string | undefined): void {
  if (answered === undefined && mediaTypes !== undefined) throw new Error(`${id} declares that it does not answer JSON`)
  if (answered !== undefined && mediaTypes?.includes(answered) !== true)
    throw new Error(`${id} does not declare the media type ${answered}`)
}

/** @throws Error where the route does not declare the error's code */
export function assertDeclaredError(prepared: PreparedRoute, error: PimletError): void {
  if (!errorsOf(prepared.route).has(error.code))
    throw new Error(`${prepared.route.id} does not declare the error ${error.code}: ${error.message}`)
}

/** The path of the first part of `sent` that checking it against the schema took away or changed. */
function findUndeclared(sent: unknown, declared: unknown, path: string): string | undefined {
  if (typeof sent !== 'object' || sent === null || typeof declared !== 'object' || declared === null)
    return isSameValue(sent, declared) ? undefined : path
  for (const [key, member] of Object.entries(sent)) {
    if (PASSED_OVER.has(key)) continue
    if (!Object.hasOwn(declared, key)) return `${path}.${key}`
    const found = findUndeclared(member, own(declared as Record<string, unknown>, key), `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
