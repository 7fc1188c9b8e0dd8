// When the page asks for presence: every 20 seconds, once for all its parts, and never while it is hidden.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../../../console/api/failures.ts'
import type { Call } from '../../../console/api/call.ts'
import { PresencePoller } from '../../../console/talk/presence-poller.ts'

const person = { id: 'ben', name: 'Ben' }

/** A page with a clock of its own, and a server that answers `items`. */
function page(
  answer: () => unknown = () => ({ items: [{ recordId: 'assam', attributeAlias: 'name', person }], every: 20 }),
) {
  let now = 0
  let timer: { readonly at: number; readonly work: () => void } | undefined
  const state = { isHidden: false, isShown: true }
  const heard = new Map<string, () => void>()
  const asked: { at: number; body: unknown }[] = []
  const poller = new PresencePoller({
    browser: {
      now: () => now,
      isHidden: () => state.isHidden,
      on: (what, listener) => {
        heard.set(what, listener)
        return () => undefined
      },
      after: (wait, work) => {
        const mine = { at: now + wait, work }
        timer = mine
        return () => {
          if (timer === mine) timer = undefined
        }
      },
    },
    call: (async (_name: string, options: { body: unknown }) => {
      asked.push({ at: now, body: options.body })
      return { body: answer() }
    }) as unknown as Call,
    isShown: () => state.isShown,
  })
  return {
    poller,
    state,
    asked,
    tell: (what: string) => heard.get(what)!(),
    pass: async (milliseconds: number): Promise<void> => {
      const until = now + milliseconds
      while (timer !== undefined && timer.at <= until) {
        const { at, work } = timer
        timer = undefined
        now = at
        work()
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
      }
      now = until
    },
  }
}

const at = (recordId: string) => ({ here: () => ({ recordId }) })

describe('Asking for presence', () => {
  it('is one request in 20 seconds for all parts of a page, and says where the last part is', async () => {
    const { poller, asked, pass } = page()
    const rows = () => [
      { recordId: 'assam', left: 0, top: 0 },
      { recordId: 'ceylon', left: 0, top: 0 },
    ]
    poller.watch({ ...at('assam'), rows })
    const stop = poller.watch(at('ceylon'))
    await pass(60_000)
    assert.equal(asked.length, 3)
    assert.ok(asked.every(({ at: time }, index) => index === 0 || time - asked[index - 1]!.at >= 20_000))
    assert.deepEqual(asked[0]!.body, { recordId: 'ceylon', recordIds: ['assam', 'ceylon'] })
    assert.deepEqual(poller.people.value.get('assam'), [{ ...person, attributeAlias: 'name' }])
    stop()
    await pass(20_000)
    assert.deepEqual(asked.at(-1)!.body, { recordId: 'assam', recordIds: ['assam', 'ceylon'] })
  })

  it('names at most 100 records, and not where the person is who has switched it off', async () => {
    const { poller, asked, pass, state } = page()
    state.isShown = false
    poller.watch({
      ...at('tea-0'),
      rows: () => Array.from({ length: 300 }, (_, row) => ({ recordId: `tea-${row}`, left: 0, top: 0 })),
    })
    await pass(2000)
    const body = asked[0]!.body as { recordId?: string; recordIds: string[] }
    assert.equal(body.recordId, undefined)
    assert.equal(body.recordIds.length, 100)
  })

  it('rests while the page is hidden or has no such part, and ends where the role has no presence', async () => {
    const { poller, asked, pass, state, tell } = page()
    const stop = poller.watch(at('assam'))
    state.isHidden = true
    tell('hide')
    await pass(100_000)
    assert.equal(asked.length, 0)
    state.isHidden = false
    tell('show')
    await pass(2000)
    assert.equal(asked.length, 1)
    stop()
    await pass(100_000)
    assert.equal(asked.length, 1)
    assert.equal(poller.people.value.size, 0)
    const refused = page(() => {
      throw new Refusal({ code: 'PERMISSION_DENIED', message: 'no', status: 403, requestId: '' })
    })
    refused.poller.watch(at('assam'))
    await refused.pass(100_000)
    assert.equal(refused.asked.length, 1)
  })
})
