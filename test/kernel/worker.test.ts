// Tasks of a thread: step by step, and told what went wrong however it ends.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { useThreadFile } from '../../src/kernel/executable/assets.ts'
import { partsOf, TaskThread } from '../../src/kernel/worker.ts'
import type { TestTask } from '../helpers/task-thread.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

useThreadFile(path.resolve(import.meta.dirname, '../helpers/task-thread.ts'))

function start(options: { signal?: AbortSignal; grace?: number } = {}) {
  const log = path.join(makeTempDirectory(), 'log')
  const faults: boolean[] = []
  const data = { role: 'test', log }
  const thread = new TaskThread<TestTask, number, string>({
    data,
    limits: { maxOldGenerationSizeMb: 32 },
    interrupted: 'it was interrupted',
    outOfMemory: 'it needs more memory',
    onFault: (_error, isOutOfMemory) => faults.push(isOutOfMemory),
    ...options,
  })
  return { thread, faults, lines: () => readFileSync(log, 'utf8').trim().split('\n') }
}

const interrupted = { code: 'UNAVAILABLE', message: 'it was interrupted' }

describe('A task of a thread', () => {
  it('makes a part when it is asked for, and is closed when no more are wanted', async () => {
    const { thread, lines } = start()
    const task = thread.begin({ kind: 'count', to: 5 })
    assert.deepEqual(
      [await task.next(), await task.next()].map(({ part }) => part),
      [1, 2],
    )
    task.stop()
    assert.equal(thread.tasks, 0)
    await assert.rejects(task.next(), interrupted)
    await thread.end()
    assert.deepEqual(lines(), ['made 1', 'made 2', 'closed', 'over'])
  })

  it('takes turns with others', async () => {
    const { thread } = start()
    const counts = [3, 4].map(async (to) => {
      const task = thread.begin({ kind: 'count', to })
      return Array.fromAsync(partsOf(task, await task.next(), task.stop))
    })
    assert.deepEqual(await Promise.all(counts), [
      [1, 2, 3],
      [1, 2, 3, 4],
    ])
    assert.equal(thread.tasks, 0)
    await thread.end()
  })

  it('fails with its error, tells news before, and leaves the thread to others', async () => {
    const { thread, faults } = start()
    const news: string[] = []
    const onNews = (text: string) => void news.push(text)
    await assert.rejects(thread.ask({ kind: 'fail', isOurs: true }, { onNews }), {
      code: 'NOT_FOUND',
      message: 'nothing',
    })
    await assert.rejects(thread.ask({ kind: 'fail', isOurs: false }), /^Error: TypeError: a fault\n/)
    assert.deepEqual([news, faults], [['began to fail'], []])
    assert.equal((await thread.begin({ kind: 'count', to: 1 }).next()).part, 1)
    await thread.end()
  })

  it('ends with its signal, and the thread is there still', async () => {
    const { thread, lines } = start()
    const abort = new AbortController()
    const hanging = thread.ask({ kind: 'hang' }, { signal: abort.signal, onNews: () => abort.abort(new Error('gone')) })
    await assert.rejects(hanging, /gone/)
    assert.equal((await thread.begin({ kind: 'count', to: 1 }).next()).part, 1)
    await thread.end()
    assert.equal(lines().at(-1), 'over')
  })
})

describe('A thread', () => {
  it('that ends tells those who wait, in other words where it ran out of memory', async () => {
    const exiting = start()
    await assert.rejects(exiting.thread.ask({ kind: 'exit' }), interrupted)
    await assert.rejects(exiting.thread.ask({ kind: 'exit' }), interrupted)
    const filling = start()
    await assert.rejects(filling.thread.ask({ kind: 'fill' }), { code: 'UNAVAILABLE', message: 'it needs more memory' })
    assert.deepEqual([exiting.faults, filling.faults], [[], [true]])
  })

  it('is ended by its signal with its tasks, after the grace in the middle of its work', async () => {
    const abort = new AbortController()
    const { thread } = start({ signal: abort.signal, grace: 50 })
    const onNews = (): void => abort.abort(new Error('stopped'))
    await assert.rejects(thread.ask({ kind: 'fill' }, { onNews }), /stopped/)
    await thread.ended
  })
})
