// Bodies in very small pieces: they are read in slices, and who brings too much at once is refused. src/http/sockets/sliced-reading.ts.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { it } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import * as v from 'valibot'
import { route } from '../../../src/http/route.ts'
import { SlicedReading } from '../../../src/http/sockets/sliced-reading.ts'
import { startFrame } from '../../helpers/frame.ts'
import { collect } from '../../helpers/sockets.ts'

const BYTES = 8000

const echo = route({
  id: 'length.post',
  endpoint: 'POST /api/v1/length',
  access: 'authenticated',
  summary: 'Says how long a text is',
  body: v.object({ text: v.string() }),
  responses: { 200: v.number() },
  handler: ({ body }) => body.text.length,
})

/** Each byte is a chunk. */
function requestOf(text: string): string {
  const chunks = JSON.stringify({ text })
    .split('')
    .map((byte) => `1\r\n${byte}\r\n`)
    .join('')
  const head = 'Host: x\r\nX-Service-ApiKey: admin\r\nContent-Type: application/json\r\nConnection: close\r\n'
  return `POST /api/v1/length HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
}

it('many bodies in chunks of one byte are read whole, or refused with 503 and Retry-After, and none in between', async (t) => {
  const frame = await startFrame([echo], { limits: { maxUnparsed: 256 * 1024 } })
  t.after(() => frame.stop(100))
  const answerOf = async (): Promise<string> => {
    const socket = connect(frame.port, '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(requestOf('x'.repeat(BYTES)))
    return collect(socket, 30_000)
  }
  const answers = await Promise.all(Array.from({ length: 60 }, answerOf))
  const [taken, refused] = [
    answers.filter((text) => text.includes(' 200 OK')),
    answers.filter((text) => text.includes(' 503 ')),
  ]
  assert.equal(taken.length + refused.length, answers.length, answers.join('\n'))
  assert.ok(taken.length > 0 && refused.length > 0, `${taken.length} were taken, ${refused.length} refused`)
  for (const text of taken) assert.ok(text.endsWith(String(BYTES)), text)
  for (const text of refused) {
    assert.match(text, /Retry-After: 5\r\n/i)
    assert.match(text, /Connection: close\r\n/)
    assert.match(text, /"error":"UNAVAILABLE","message":"Too many requests come in very small pieces/)
  }
})

/** As much of a socket as the reading looks at: its parser notes what it is given. */
function fakeSocket(parsed: Buffer[]): Socket {
  const socket = Object.assign(new EventEmitter(), { destroyed: false, pause: () => socket, resume: () => socket })
  socket.on('data', (bytes: Buffer) => parsed.push(bytes))
  return socket as unknown as Socket
}

it('a turn that accepts a connection parses one slice of what others sent, and later turns parse the rest', async () => {
  const reading = new SlicedReading({ maxUnparsed: 1024 * 1024 }, () => undefined)
  const parsed: Buffer[] = []
  const sockets = Array.from({ length: 8 }, () => fakeSocket(parsed))
  for (const socket of sockets) reading.follow(socket)
  await immediate()
  for (const socket of sockets) socket.emit('data', Buffer.from('1\r\nx\r\n'.repeat(1000)))
  reading.follow(fakeSocket([]))
  await immediate()
  assert.equal(parsed.length, 1)
  while (parsed.length < 8 * sockets.length) await immediate()
})
