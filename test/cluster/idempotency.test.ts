// A request with an Idempotency-Key that one server of a workspace has under way: the others refuse such a request as the first one does,
// until it is over or its server is gone. Contract 3 §2.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, assertRefused, send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { NDJSON } from '../helpers/importing.ts'
import { startPgbouncer, withoutPgbouncer } from '../helpers/pgbouncer.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'
import { eventually } from '../helpers/puppet.ts'
import { makeModel, SCHEMA, severalOn } from '../helpers/several-servers.ts'
import { sharedInSuite } from '../helpers/shared-in-suite.ts'

const PATH = '/api/v1/records/import?mode=create'

/** An import whose body comes in two parts: it is under way from the first to the second. */
interface OpenImport {
  readonly answer: Promise<Answer<unknown>>
  /** Sends the rest. */
  finish(): void
}

const line = (id: string): string => `${JSON.stringify({ id, schemaId: SCHEMA, values: {} })}\n`

async function post(client: Client, key: string, body: string | ReadableStream): Promise<Answer<unknown>> {
  const response = await fetch(`${client.url}${PATH}`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': NDJSON, 'idempotency-key': key },
    body,
    duplex: 'half',
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

async function beginImport(client: Client, key: string, parts: readonly [string, string]): Promise<OpenImport> {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  const answer = post(client, key, readable.pipeThrough(new TextEncoderStream()))
  answer.catch(() => undefined)
  await writer.write(parts[0])
  return { answer, finish: () => void writer.write(parts[1]).then(() => writer.close()) }
}

/** Refused as one server refuses it. */
function assertUnderWay(answer: Answer<unknown>): void {
  assertRefused(answer, 'CONFLICT', 'under way')
  assert.equal(answer.headers.get('retry-after'), '1')
}

async function untilThere(client: Client, id: string): Promise<void> {
  await eventually(async () => (await send(client, 'GET', `/api/v1/records/${id}`)).status === 200)
}

describe('Of two servers', { timeout: 300_000, skip: withoutPostgres() }, () => refuse(false))
describe('Of two servers behind pgbouncer', { timeout: 300_000, skip: withoutPgbouncer }, () => refuse(true))

function refuse(isPooled: boolean): void {
  const shared = sharedInSuite(async (suite) => {
    const { url } = await makeDatabase()
    const several = severalOn(isPooled ? (await startPgbouncer(url, suite)).url : url, suite)
    const [one, other] = [await several.start('one'), await several.start('other')]
    await makeModel(one.admin)
    return [one, other] as const
  })

  it('the other one refuses a request that the first has under way, and then gives its answer', async () => {
    const [one, other] = shared()
    const parts = [line('first-1'), line('first-2')] as const
    const first = await beginImport(one.admin, 'the-key-of-the-first-request', parts)
    await untilThere(other.admin, 'first-1')
    assertUnderWay(await post(other.admin, 'the-key-of-the-first-request', parts.join('')))
    assertUnderWay(await post(one.admin, 'the-key-of-the-first-request', parts.join('')))
    assert.equal((await post(other.admin, 'the-key-of-another-request', line('second'))).status, 200)
    first.finish()
    const answer = await first.answer
    assert.equal(answer.status, 200, answer.text)
    const again = await post(other.admin, 'the-key-of-the-first-request', parts.join(''))
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.text, answer.text)
  })

  it('a request whose answer is not kept can be sent to the other one at once', async () => {
    const [one, other] = shared()
    // Each line fails, and says so: that is more than what is kept.
    const body = line('no ID at all'.repeat(6)).repeat(1000)
    for (let round = 0; round < 20; round += 1) {
      const server = round % 2 === 0 ? one : other
      const answer = await post(server.admin, 'the-key-of-a-large-answer', body)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('idempotency-replayed'), null)
    }
  })

  it('the other one takes a request over when the server that had it is killed', async () => {
    const [one, other] = shared()
    const parts = [line('third-1'), line('third-2')] as const
    await beginImport(one.admin, 'the-key-of-the-third-request', parts)
    await untilThere(other.admin, 'third-1')
    await one.kill()
    const killed = performance.now()
    assertUnderWay(await post(other.admin, 'the-key-of-the-third-request', parts.join('')))
    const answer = await eventually(async () => {
      const later = await post(other.admin, 'the-key-of-the-third-request', parts.join(''))
      return later.status === 200 && later
    })
    assert.ok(performance.now() - killed < 25_000, 'the key was blocked for too long')
    assert.match(answer.text, /"created":1,/)
  })
}
