// One ceiling for bodies under way: further bodies wait for room, and are refused in the end.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import * as v from 'valibot'
import { route } from '../../../src/http/route.ts'
import { HeldMemory } from '../../../src/kernel/held-memory.ts'
import { assertErrorBody } from '../../helpers/answers.ts'
import { type Frame, startFrame } from '../../helpers/frame.ts'
import { collect, parseAnswer, request } from '../../helpers/sockets.ts'

/** A caller has a quarter of the part for small bodies: 4 KiB. */
const CEILING = 64 * 1024

let frame: Frame
before(async () => {
  const things = route({
    id: 'things.create',
    endpoint: 'POST /things',
    summary: 'Create a thing',
    access: 'authenticated',
    body: v.object({ text: v.string() }),
    responses: { 201: v.object({ length: v.number() }) },
    handler: async ({ body }) => ({ length: body.text.length }),
  })
  frame = await startFrame([things], { held: new HeldMemory(CEILING, 300), maxBody: 200_000 })
})
after(() => frame.stop())

const bodyOf = (length: number): string => JSON.stringify({ text: 'x'.repeat(length) })
const headOf = (key: string): string =>
  `POST /things HTTP/1.1\nHost: x\nX-Service-ApiKey: ${key}\nContent-Type: application/json`

/** Sends all of a body but its end. */
async function begin(key: string, body: string): Promise<Socket> {
  const socket = connect(frame.port, '127.0.0.1')
  const head = `${headOf(key)}\nConnection: close\nContent-Length: ${body.length}`.replaceAll('\n', '\r\n')
  socket.write(`${head}\r\n\r\n${body.slice(0, -1)}`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return socket
}

const post = (key: string, body: string) => request(frame.port, headOf(key), body)

describe('A body for which there is no room', () => {
  for (const [size, length] of [
    ['small', 5000],
    ['large', 70_000],
  ] as const)
    it(`waits, and is 503 with Retry-After in the end: a ${size} one`, async () => {
      const slow = await begin('admin', bodyOf(length))
      const refused = await post('admin', bodyOf(length))
      assert.equal(refused.status, 503)
      assert.equal(refused.headers.get('retry-after'), '5')
      assertErrorBody(JSON.parse(refused.body), 'UNAVAILABLE', '--max-held')
      const waiting = post('admin', bodyOf(length))
      await new Promise((resolve) => setTimeout(resolve, 50))
      slow.write('}')
      assert.equal(parseAnswer(await collect(slow)).status, 201)
      assert.equal((await waiting).status, 201)
    })

  it('lets small bodies of others pass', async () => {
    const held = [await begin('admin', bodyOf(5000)), await begin('admin', bodyOf(70_000))]
    assert.equal((await post('viewer', bodyOf(5000))).status, 201)
    for (const socket of held) socket.destroy()
  })
})
