// What the log says of a request. Contract 2 §1.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PimletError } from '../../../src/kernel/errors.ts'
import type { Exchange } from '../../../src/http/pipeline/exchange.ts'
import { recordExchange, type RecordingParts } from '../../../src/http/pipeline/request-log.ts'

function lineOf(isStopping: boolean, status: number, thrown?: unknown) {
  let line: readonly [level: string, err: unknown] | undefined
  const log = {
    isLevelEnabled: () => true,
    error: (fields: object) => (line = ['error', (fields as { err?: { message: string } }).err?.message]),
    plainInfo: () => (line = ['info', undefined]),
  }
  const exchange = { method: 'GET', id: 'req-1', startedAt: performance.now() } as Exchange
  const parts = { log, metrics: { requestEnded: () => undefined }, readiness: { isServing: !isStopping } }
  recordExchange(parts as unknown as RecordingParts, exchange, status, thrown)
  return line
}

it('who asks a server that stops, also how it is, leaves no fault in its log; what fails does, with its error', () => {
  const unavailable = new PimletError('UNAVAILABLE', 'The server is shutting down')
  assert.deepEqual(lineOf(true, 503, unavailable), ['info', undefined])
  assert.deepEqual(lineOf(true, 503), ['info', undefined])
  assert.deepEqual(lineOf(true, 500, new Error('broken')), ['error', 'broken'])
  assert.deepEqual(lineOf(false, 503, unavailable), ['error', 'The server is shutting down'])
  assert.deepEqual(lineOf(false, 503), ['error', undefined])
  assert.deepEqual(lineOf(false, 404, new PimletError('NOT_FOUND', 'x')), ['info', undefined])
})
