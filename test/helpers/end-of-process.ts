// Runs work after all tests of a process, across files: `scripts/tests/shared-processes.ts`.
import { after } from 'node:test'

const works: (() => Promise<void>)[] = []

// This file is loaded before any suite begins, so the hook belongs to no suite.
after(async () => {
  for (const work of works) await work()
})

export function atEndOfProcess(work: () => Promise<void>): void {
  works.push(work)
}
