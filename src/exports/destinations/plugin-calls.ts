// Calls into plugins, which may do anything: throw, hang, reject after nobody waits any more, or throw from a timer. Whatever
// they do ends their call, never the server. Contract 2 §6.
import { AsyncLocalStorage } from 'node:async_hooks'

interface PluginCall {
  fail(error: unknown): void
}

const calls = new AsyncLocalStorage<PluginCall>()

interface CallLimits {
  readonly signal: AbortSignal
  /** Milliseconds that a plugin has after `signal` to clean up; then nobody waits for it any more. */
  readonly grace: number
  /** Told of faults that come when nobody waits for them. */
  readonly onLateFault: (error: unknown) => void
}

/**
 * Resolves or rejects as `work` does, or rejects with the signal's reason once the grace is over. A fault that is thrown
 * outside of the promise counts as a rejection; see `claimPluginFault`.
 */
export function callPlugin<Result>(work: () => Result | Promise<Result>, limits: CallLimits): Promise<Result> {
  const { signal, grace, onLateFault } = limits
  return new Promise<Result>((resolve, reject) => {
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    const end = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUpSoon)
      settle()
    }
    const fail = (error: unknown): void => {
      if (!isOver) end(() => reject(error))
      // The call's time was over; that is the reason to report.
      else if (!signal.aborted || error !== signal.reason) onLateFault(error)
    }
    const giveUpSoon = (): void => {
      timer = setTimeout(() => end(() => reject(signal.reason)), grace)
    }
    if (signal.aborted) giveUpSoon()
    else signal.addEventListener('abort', giveUpSoon, { once: true })
    calls.run({ fail }, () => {
      // In an async function, so that a synchronous throw is a rejection too.
      const running = (async () => work())()
      running.then((result) => end(() => resolve(result)), fail)
    })
  })
}

/**
 * To be asked in the process's `uncaughtException` handler, in whose async context the fault was thrown: whether it comes
 * from a plugin. Then its call has failed, and the process can go on.
 */
export function claimPluginFault(error: unknown): boolean {
  const call = calls.getStore()
  if (call === undefined) return false
  call.fail(error)
  return true
}

/** As `claimPluginFault`, for the call in which this is asked: for faults that are told later, and elsewhere. */
export function makeFaultClaim(): (error: unknown) => boolean {
  const call = calls.getStore()
  return (error) => {
    call?.fail(error)
    return call !== undefined
  }
}

/** `work` as it can be handed to a plugin: what it sets in motion is the server's own, not the plugin's. */
export function outsidePlugin<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => calls.exit(() => work(...args))
}
