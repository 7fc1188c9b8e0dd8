// One after another: keys come faster than answers, and each work begins with what the one before has left.

type Sequence = (work: () => Promise<void>) => Promise<void>

export function makeSequence(): Sequence {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    const now = last.then(work)
    last = now.catch(() => undefined)
    return now
  }
}
