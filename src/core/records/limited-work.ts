// Long transactions make other writers wait: they end after some seconds.
import { PimletError } from '../../kernel/errors.ts'
import type { LongTransaction } from '../../store/port.ts'

/** To be called between steps: it pauses the transaction, until so many seconds are over. Then it throws UNAVAILABLE, with `advice`. */
export function pauseFor(
  tx: LongTransaction,
  { what, seconds, advice }: { readonly what: string; readonly seconds: number; readonly advice: string },
): () => Promise<void> {
  const end = performance.now() + seconds * 1000
  return async () => {
    await tx.pause()
    if (performance.now() <= end) return
    throw new PimletError('UNAVAILABLE', `${what} took too long: at most ${seconds} seconds. ${advice}`)
  }
}
