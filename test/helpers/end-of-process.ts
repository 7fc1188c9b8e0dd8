// What is done when all tests of a process are over, of whichever files they are: `scripts/tests/shared-processes.ts`.
import { after } from 'node:test'

const works: (() => Promise<void>)[] = []

// Loaded before any suite begins: it belongs to none of them.
after(async () => {
  for (const work of works) await work()
})

export function atEndOfProcess(work: () => Promise<void>): void {
  works.push(work)
}
