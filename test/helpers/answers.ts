// Sends requests over real HTTP, and checks refusals.
import assert from 'node:assert/strict'
import type { ErrorCode } from '../../src/kernel/errors.ts'
import { STATUS_OF_ERROR } from '../../src/http/answers/error-replies.ts'
import type { Client } from './client.ts'

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined: no body. */
  readonly body: Body
}

export async function send<Body = unknown>(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const response = await fetch(client.url + path, {
    method,
    headers: { ...client.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  const json: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, text, body: json as Body }
}

/**
 * Checks that the response is this error: its status, exactly `error` and `message`, and each of `named` in the
 * message.
 */
export function assertRefused(answer: Answer<unknown>, code: ErrorCode, ...named: string[]): void {
  assertErrorBody(answer.body, code, ...named)
  assert.equal(answer.status, STATUS_OF_ERROR[code])
  assert.ok(answer.headers.get('x-request-id'))
}

export function assertErrorBody(body: unknown, code: ErrorCode, ...named: string[]): void {
  const error = body as { error: string; message: string }
  assert.deepEqual(Object.keys(error).sort(), ['error', 'message'], JSON.stringify(body))
  assert.equal(error.error, code, error.message)
  assert.equal(typeof error.message, 'string')
  for (const name of named) assert.ok(error.message.includes(name), `'${error.message}' does not name ${name}`)
}
