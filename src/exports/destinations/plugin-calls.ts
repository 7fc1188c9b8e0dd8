// Calls into plugins. A plugin may throw, hang, reject too late, or throw from a timer. Each fault ends its call, never the
// server. Contract 2 §6.
import { AsyncLocalStorage } from 'node:async_hooks'

interface PluginCall {
  fail(error: unknown): void
}

const calls = new AsyncLocalStorage<PluginCall>()

interface CallLimits {
  readonly signal: AbortSignal
  /** Milliseconds for the plugin's cleanup after `signal`; then the call is given up. */
  readonly grace: number
  /** Called with faults after the end of their call. */
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
      // An async function turns a synchronous throw into a rejection.
      const running = (async () => work())()
      running.then((result) => end(() => resolve(result)), fail)
    })
  })
}

/**
 * Whether an uncaught fault comes from a plugin. Call it in the `uncaughtException` handler, in the async context of the
 * fault. If so, the plugin's call has failed, and the process can continue.
 */
export function claimPluginFault(error: unknown): boolean {
  const call = calls.getStore()
  if (call === undefined) return false
  call.fail(error)
  return true
}

/** Like `claimPluginFault`, for the current call: for faults that are reported later and elsewhere. */
export function makeFaultClaim(): (error: unknown) => boolean {
  const call = calls.getStore()
  return (error) => {
    call?.fail(error)
    return call !== undefined
  }
}

/** Wraps `work` for a plugin: faults in `work` belong to the server, not to the plugin. */
export function outsidePlugin<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => calls.exit(() => work(...args))
}
