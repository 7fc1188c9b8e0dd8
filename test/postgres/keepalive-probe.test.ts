// A connection on which nothing is heard: when it is given up, and when not.
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it, type TestContext } from 'node:test'
import { KeepaliveProbe } from '../../src/postgres/keepalive-probe.ts'

/** A line on which an answer is awaited; `pass` lets seconds go by. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const line = { isWaiting: true, isAlive: false, looks: 0, isGivenUp: false }
  const probe = new KeepaliveProbe({
    isWaiting: () => line.isWaiting,
    isAlive: async () => {
      line.looks += 1
      return line.isAlive
    },
    giveUp: () => (line.isGivenUp = true),
  })
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      t.mock.timers.tick(1000)
      await turn()
    }
  }
  return { line, probe, pass }
}

describe('PostgreSQL: silence on a connection', () => {
  it('is looked into after five seconds, and ends it where nobody works on an answer', async (t) => {
    const { line, pass } = watched(t)
    await pass(4)
    assert.equal(line.looks, 0)
    await pass(1)
    assert.deepEqual([line.looks, line.isGivenUp], [1, true])
  })

  it('is borne as long as somebody does, and looked into again', async (t) => {
    const { line, pass } = watched(t)
    line.isAlive = true
    await pass(12)
    assert.deepEqual([line.looks, line.isGivenUp], [2, false])
  })

  it('is none where no answer is awaited, or something was heard', async (t) => {
    const { line, probe, pass } = watched(t)
    line.isWaiting = false
    await pass(20)
    line.isWaiting = true
    for (let n = 0; n < 10; n += 1) {
      await pass(4)
      probe.heard()
    }
    assert.equal(line.looks, 0)
  })
})
