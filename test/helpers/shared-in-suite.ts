// Shares something among all tests of a suite, because making it is slow.
import { after, before } from 'node:test'

/** Runs the work given to `after` at its end. */
export interface Lifetime {
  after(work: () => Promise<void>): void
}

/**
 * Must be called in `describe`, or at the top of a file. `open` runs before the first test; the returned function gives
 * its result.
 */
export function sharedInSuite<Shared>(open: (suite: Lifetime) => Promise<Shared>): () => Shared {
  const works: (() => Promise<void>)[] = []
  let opened: { readonly shared: Shared }
  before(async () => {
    opened = { shared: await open({ after: (work) => works.push(work) }) }
  })
  after(async () => {
    for (const work of works) await work()
  })
  return () => opened.shared
}
