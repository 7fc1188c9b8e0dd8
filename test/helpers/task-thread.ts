// A thread whose tasks follow instructions, for tests of `serveTasks`.
import { appendFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { PimletError } from '../../src/kernel/errors.ts'
import { onlyStep, serveTasks, stepsOf } from '../../src/kernel/worker.ts'

export type TestTask =
  | { readonly kind: 'count'; readonly to: number }
  | { readonly kind: 'fail'; readonly isOurs: boolean }
  | { readonly kind: 'hang' | 'fill' | 'exit' }

const { log } = workerData as { log: string }
const note = (text: string): void => appendFileSync(log, `${text}\n`)

async function* count(to: number): AsyncGenerator<number, void> {
  try {
    for (let n = 1; n <= to; n += 1) {
      note(`made ${n}`)
      yield n
    }
  } finally {
    note('closed')
  }
}

serveTasks<TestTask, number, string>(
  (task, tell) => {
    if (task.kind === 'count') return stepsOf(count(task.to))
    return onlyStep(async (signal) => {
      tell(`began to ${task.kind}`)
      if (task.kind === 'fail') throw task.isOurs ? new PimletError('NOT_FOUND', 'nothing') : new TypeError('a fault')
      if (task.kind === 'exit') process.exit()
      const filled: string[][] = []
      while (task.kind === 'fill') filled.push(Array.from({ length: 1000 }, String))
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      return 0
    })
  },
  { close: () => note('over') },
)
