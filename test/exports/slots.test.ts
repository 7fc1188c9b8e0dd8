// So many at a time.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Slots } from '../../src/kernel/slots.ts'

const never = new AbortController().signal

describe('Slots', () => {
  it('let so many work at a time, the others in the order in which they came', async () => {
    const slots = new Slots(2)
    const begun: number[] = []
    let [working, most] = [0, 0]
    const work = (index: number) =>
      slots.run(never, async () => {
        begun.push(index)
        working += 1
        most = Math.max(most, working)
        await new Promise((resolve) => setImmediate(resolve))
        working -= 1
        return index
      })
    assert.deepEqual(await Promise.all([0, 1, 2, 3, 4].map(work)), [0, 1, 2, 3, 4])
    assert.deepEqual(begun, [0, 1, 2, 3, 4])
    assert.equal(most, 2)
  })

  it('go on after work that fails, and are not taken by who left while waiting', async () => {
    const slots = new Slots(1)
    const abort = new AbortController()
    const failing = slots.run(never, () => Promise.reject(new Error('no')))
    const leaving = slots.run(abort.signal, () => assert.fail('it left'))
    const staying = slots.run(never, async () => 'done')
    abort.abort(new Error('left'))
    await assert.rejects(failing, /no/)
    await assert.rejects(leaving, /left/)
    assert.equal(await staying, 'done')
    assert.equal(await slots.run(never, async () => 'again'), 'again')
  })

  it('refuse who would wait behind too many', async () => {
    const slots = new Slots(1, 1)
    const first = slots.run(never, async () => 1)
    const second = slots.run(never, async () => 2)
    await assert.rejects(
      slots.run(never, async () => 3),
      /Too many/,
    )
    assert.deepEqual(await Promise.all([first, second]), [1, 2])
  })
})
