// Undo and redo.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Step, Undo } from '../../../console/state/undo.ts'
import { inTurns } from '../../../console/state/turns.ts'
import { settle } from '../fake-browser.ts'

function stepsOf(undo: Undo, log: string[]) {
  return (name: string, fails = false) =>
    undo.push({
      name,
      undo: async () => {
        if (fails) throw new Error('changed since')
        log.push(`-${name}`)
      },
      redo: async () => void log.push(`+${name}`),
    })
}

describe('Undo', () => {
  it('takes back the last step first, and does it again', async () => {
    const [undo, log] = [new Undo(), [] as string[]]
    const push = stepsOf(undo, log)
    push('a')
    push('b')
    await undo.undo()
    await undo.undo()
    assert.equal(await undo.undo(), undefined)
    await undo.redo()
    assert.deepEqual(log, ['-b', '-a', '+a'])
    push('c')
    assert.equal(await undo.redo(), undefined, 'what was undone before another step is gone')
  })

  it('keeps a hundred steps', async () => {
    const [undo, log] = [new Undo(), [] as string[]]
    const push = stepsOf(undo, log)
    for (let step = 0; step < 120; step += 1) push(`${step}`)
    while ((await undo.undo()) !== undefined);
    assert.equal(log.length, 100)
  })

  it('a step whose values somebody changed since is told, and those before it can still be taken back', async () => {
    const [undo, log] = [new Undo(), [] as string[]]
    const push = stepsOf(undo, log)
    push('a')
    push('b', true)
    await assert.rejects(undo.undo(), /changed since/)
    assert.equal((await undo.undo())?.name, 'a')
  })

  it('a step that is refused at first is not taken back', async () => {
    const undo = new Undo()
    const step = (name: string, redo: () => Promise<void>) => ({ name, undo: async () => {}, redo })
    await undo.take(step('a', async () => {}))
    await assert.rejects(undo.take(step('b', () => Promise.reject(new Error('refused')))), /refused/)
    assert.equal(undo.next.value?.name, 'a')
  })

  it('waits for a save, whose step it takes, and the step of a later save comes later', async () => {
    const [undo, log] = [new Undo(), [] as string[]]
    stepsOf(undo, log)('a')
    const stepOf = (name: string) => ({ name, undo: async () => void log.push(`-${name}`), redo: async () => {} })
    const [slow, fast] = [Promise.withResolvers<Step>(), Promise.withResolvers<Step>()]
    const saves = [undo.addSaved(slow.promise), undo.addSaved(fast.promise)]
    const undone = undo.undo()
    fast.resolve(stepOf('fast'))
    await settle()
    slow.resolve(stepOf('slow'))
    assert.deepEqual(await Promise.all(saves), [true, true])
    assert.equal((await undone)?.name, 'fast')
    assert.equal((await undo.undo())?.name, 'slow')
    assert.deepEqual(log, ['-fast', '-slow'])
  })

  it('a save that fails or changes nothing leaves the steps as they are', async () => {
    const undo = new Undo()
    const failed = undo.addSaved(Promise.reject(new Error('no')))
    const unchanged = undo.addSaved(Promise.resolve(undefined))
    await assert.rejects(failed, /no/)
    assert.equal(await unchanged, false)
    assert.equal(await undo.undo(), undefined)
  })

  it('one at a time: keys that come faster than answers take back one after another', async () => {
    const [undo, log] = [new Undo(), [] as string[]]
    const push = stepsOf(undo, log)
    push('a')
    push('b')
    await Promise.all([undo.undo(), undo.undo()])
    assert.deepEqual(log, ['-b', '-a'])
  })
})

describe('Several requests', () => {
  it('H2 go out so many at a time, and are told in their order', async () => {
    let under = 0
    let most = 0
    const tasks = [3, 1, 2, 0].map((turns, index) => async () => {
      under += 1
      most = Math.max(most, under)
      for (let turn = 0; turn <= turns; turn += 1) await settle()
      under -= 1
      return index
    })
    assert.deepEqual(await inTurns(tasks, 2), [0, 1, 2, 3])
    assert.equal(most, 2)
  })

  it('after one has failed no more go out', async () => {
    let begun = 0
    const tasks = Array.from({ length: 10 }, () => async () => {
      begun += 1
      throw new Error('no')
    })
    await assert.rejects(inTurns(tasks, 2), /no/)
    assert.ok(begun <= 2)
  })
})
