// Reads the beginning of a stream ahead: enough to detect its format, and no more than has arrived.

/** Bytes that are usually enough. */
const ENOUGH = 32 * 1024
/** Milliseconds to wait for more. A client that sends a few lines and waits for the response must get one. */
const PATIENCE = 100

interface Peeked {
  readonly sample: Buffer
  /** Whether the stream has ended. */
  readonly isWhole: boolean
  /** All chunks, from the beginning. */
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
    // The failure is caught here, because nobody may await the promise yet.
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
