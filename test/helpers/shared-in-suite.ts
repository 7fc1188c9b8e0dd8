// Something that all tests of a suite use: making it takes the time.
import { after, before } from 'node:test'

/** What `open` gives to `after` is done when it is over. */
export interface Lifetime {
  after(work: () => Promise<void>): void
}

/** To be called in `describe`, or at the top of a file. `open` runs before the first test; then the answer gives what it made. */
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
