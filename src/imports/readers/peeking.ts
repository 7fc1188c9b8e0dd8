// The beginning of a stream before it is read: as much as says how it is written, and no more than has arrived.

/** Bytes that mostly say enough. */
const ENOUGH = 32 * 1024
/** Milliseconds that more is waited for: whoever sends a few lines and waits for an answer gets one. */
const PATIENCE = 100

interface Peeked {
  readonly sample: Buffer
  /** Whether there is no more. */
  readonly isWhole: boolean
  /** From the beginning. */
  readonly chunks: AsyncIterable<Buffer>
}

type Next = IteratorResult<Buffer, unknown>

export async function peek(source: AsyncIterable<Buffer>, enough = ENOUGH): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]()
  const parts: Buffer[] = []
  let size = 0
  let pending: Promise<Next> | undefined
  let isWhole = false
  while (size < enough) {
    pending = iterator.next()
    // Nobody may be there to see it fail until it is waited for again.
    pending.catch(() => undefined)
    const next = await (size === 0 ? pending : within(PATIENCE, pending))
    if (next === undefined) break
    pending = undefined
    isWhole = next.done === true
    if (next.done === true) break
    parts.push(next.value)
    size += next.value.length
  }
  async function* chunks(): AsyncGenerator<Buffer, void> {
    try {
      yield* parts
      if (isWhole) return
      for (let next = await (pending ?? iterator.next()); next.done !== true; next = await iterator.next())
        yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { sample: parts.length === 1 ? parts[0]! : Buffer.concat(parts), isWhole, chunks: chunks() }
}

async function within(milliseconds: number, next: Promise<Next>): Promise<Next | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), milliseconds)))
  try {
    return await Promise.race([next, timeout])
  } finally {
    clearTimeout(timer)
  }
}
