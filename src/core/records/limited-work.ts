// Limits the time of long transactions, because other writers wait for them.
import { PimletError } from '../../kernel/errors.ts'
import type { LongTransaction } from '../../store/port.ts'

/**
 * Returns a function to call between steps. It pauses the transaction; after `seconds`, it throws UNAVAILABLE, with
 * `advice`.
 */
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
