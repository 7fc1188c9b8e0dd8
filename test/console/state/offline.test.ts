// Writes while the server is away.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal, Unreachable } from '../../../console/api/failures.ts'
import { Offline } from '../../../console/state/offline.ts'
import { fakeBrowser, settle } from '../fake-browser.ts'

function away() {
  const browser = fakeBrowser()
  const server = { isThere: false, pings: 0, done: [] as string[] }
  const offline = new Offline(browser, async () => {
    server.pings += 1
    if (!server.isThere) throw new Unreachable('')
  })
  const send = (name: string) => async () => {
    if (!server.isThere) {
      offline.note(false)
      throw new Unreachable('')
    }
    server.done.push(name)
    return name
  }
  return { browser, server, offline, send }
}

const refusal = (status: number, code: string) => new Refusal({ code, message: code, status, requestId: '' })

describe('A6 While the server does not answer', () => {
  it('writes wait in order and happen once', async () => {
    const { browser, server, offline, send } = away()
    const writes = ['a', 'b', 'c'].map((name) => offline.write(send(name)))
    await settle()
    assert.deepEqual([offline.isOffline.value, offline.count.value], [true, 3])
    server.isThere = true
    await browser.pass(2000)
    assert.deepEqual(await Promise.all(writes), ['a', 'b', 'c'])
    assert.deepEqual(server.done, ['a', 'b', 'c'])
    assert.deepEqual([offline.isOffline.value, offline.count.value], [false, 0])
  })

  it('it is asked less and less often, and at once when the network is back', async () => {
    const { browser, server, offline } = away()
    offline.note(false)
    await browser.pass(60_000)
    assert.ok(server.pings >= 5 && server.pings <= 8, `${server.pings}`)
    const before = server.pings
    server.isThere = true
    browser.emit('online')
    await settle()
    assert.equal(server.pings, before + 1)
    assert.equal(offline.isOffline.value, false)
  })

  it('a refusal is the answer to its write, and the next one goes out', async () => {
    const { server, offline, send } = away()
    server.isThere = true
    const refused = offline.write(async () => {
      throw refusal(400, 'VALIDATION_ERROR')
    })
    const next = offline.write(send('b'))
    await assert.rejects(refused, { code: 'VALIDATION_ERROR' })
    assert.equal(await next, 'b')
  })

  it('a write that was carried out before the answer got lost is done', async () => {
    const { browser, server, offline } = away()
    let sent = 0
    const write = offline.write(
      async () => {
        sent += 1
        if (sent === 1) throw new Unreachable('')
        throw refusal(412, 'PRECONDITION_FAILED')
      },
      async ({ status }) => (status === 412 ? 'my value is there' : undefined),
    )
    await settle()
    server.isThere = true
    await browser.pass(2000)
    assert.equal(await write, 'my value is there')
  })

  it('a conflict of a write that was sent once is a conflict', async () => {
    const { server, offline } = away()
    server.isThere = true
    const write = offline.write(
      async () => {
        throw refusal(412, 'PRECONDITION_FAILED')
      },
      async () => 'never asked',
    )
    await assert.rejects(write, { status: 412 })
  })
})
