// Runs work in sequence: keys are faster than answers, and each work starts from the previous result.

type Sequence = (work: () => Promise<void>) => Promise<void>

export function makeSequence(): Sequence {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    const now = last.then(work)
    last = now.catch(() => undefined)
    return now
  }
}
