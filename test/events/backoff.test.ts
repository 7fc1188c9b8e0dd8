// How long a failing receiver is left alone, whatever is committed meanwhile: src/events/pump.ts.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { type EventReceiver, startReceiver } from '../helpers/event-receiver.ts'
import { english, make, makeShirt, startWorkspace, type Workspace } from '../helpers/shirts.ts'

const BACKOFF = 3000
const PATH = '/api/v1/subscriptions'

let shop: Workspace
let receiver: EventReceiver
before(async () => {
  const eventLimits = { firstBackoff: BACKOFF, maxBackoff: BACKOFF }
  shop = await startWorkspace({ allowDestinations: ['127.0.0.1'], testing: { eventLimits } })
})
after(() => shop.stop())

async function subscribe(): Promise<string> {
  receiver = await startReceiver()
  receiver.answers = ['fails slowly']
  const events = ['record.created', 'record.updated']
  const { id } = await make<{ id: string }>(shop.admin, PATH, { name: 'S', url: receiver.url, events })
  return id
}
const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('Events', () => {
  it('leave a receiver alone for half of the backoff at least, also where it fails late and others write', async (test) => {
    const id = await subscribe()
    test.after(() => receiver.close())
    const shirt = await makeShirt(shop.admin, { name: [english('0')] })
    for (let count = 1; receiver.requests.length < 3; count += 1) {
      await send(shop.admin, 'PUT', `/api/v1/records/${shirt.id}`, { values: { name: [english(String(count))] } })
      await rest(20)
    }
    const times = receiver.requests.map(({ arrived }) => arrived)
    const pauses = times.slice(1).map((time, index) => time - times[index]!)
    assert.ok(Math.min(...pauses) >= BACKOFF / 2, `pauses of ${pauses.map(Math.round).join(', ')} ms`)
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/${id}`)).status, 204)
  })

  for (const [moment, milliseconds] of [
    ['during an attempt', 0],
    ['in a pause', 250],
  ] as const)
    it(`go to the new address at once where the subscription is edited ${moment}`, async (test) => {
      const id = await subscribe()
      test.after(() => receiver.close())
      await makeShirt(shop.admin, {})
      await receiver.untilRequested(1)
      await rest(milliseconds)
      const other = await startReceiver()
      test.after(() => other.close())
      const edited = { name: 'S', url: other.url, events: ['record.created'] }
      const began = performance.now()
      assert.equal((await send(shop.admin, 'PUT', `${PATH}/${id}`, edited)).status, 200)
      await other.untilAccepted(1)
      assert.ok(performance.now() - began < BACKOFF / 3)
      assert.equal((await send(shop.admin, 'DELETE', `${PATH}/${id}`)).status, 204)
    })
})
