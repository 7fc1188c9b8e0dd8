// Delivers a finished file: attempts with time limits, and pauses between them. Also checks a destination, and removes leftovers
// of earlier faults. Contract 2 §6.
import { setTimeout as sleep } from 'node:timers/promises'
import { shorten } from '../../kernel/errors.ts'
import { escapeControls } from '../../kernel/text.ts'
import type { Log } from '../../kernel/observing/log.ts'
import type { Store } from '../../store/port.ts'
import type { ExportFile, Leftovers, Network, RunContext } from '../../kernel/destination.ts'
import type { Target } from '../destinations/destinations.ts'
import { callPlugin, outsidePlugin } from '../destinations/plugin-calls.ts'
import { decideRetry, isPermanent } from './retry.ts'

/** All milliseconds. */
export interface DeliveryLimits {
  /** Milliseconds for one attempt, by the bytes to send. */
  readonly attemptTime: (size: number) => number
  readonly checkTime: number
  readonly sweepTime: number
  /** Milliseconds for a plugin's cleanup after its time limit. */
  readonly grace: number
}

export const DELIVERY_LIMITS: DeliveryLimits = {
  // Ten minutes, and the time of a link with 128 KiB/s.
  attemptTime: (size) => 600_000 + size / 131.072,
  checkTime: 30_000,
  sweepTime: 30_000,
  grace: 5000,
}

interface DeliveryOrder {
  readonly runId: string
  readonly maxAttempts: number
  /** Milliseconds since 1970: no attempt begins later. */
  readonly retryUntil: number
  readonly signal: AbortSignal
  /** Runs before each attempt; an error ends the delivery. */
  readonly beforeAttempt?: (() => Promise<void>) | undefined
  /** An attempt begins: 1 is the first. */
  readonly onAttempt?: ((attempt: number) => void) | undefined
  /** The next attempt begins then. */
  readonly onWait?: ((until: Date) => void) | undefined
}

export interface Delivery {
  /**
   * Delivers the files in their order, each once. Resolves to the destinationPath of the first, free of secrets. Rejects with
   * DeliveryFailed, or with the signal's reason.
   */
  deliver(target: Target, files: readonly ExportFile[], order: DeliveryOrder): Promise<string>
  /** Rejects where the destination cannot be written. */
  check(target: Target, runId: string, signal: AbortSignal): Promise<void>
  /** Removes leftovers if possible. Never rejects. */
  sweep(target: Target, runId: string, signal: AbortSignal): Promise<void>
}

/** The fault of the last attempt, in the words of its run. */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed'

  constructor(message: string, options?: ErrorOptions) {
    // The message may contain the destination's answer.
    super(escapeControls(message), options)
  }
}

const MAX_ERROR = 1000
/**
 * Characters of a text that are looked at. Texts are redacted before they are shortened to `MAX_ERROR`, so that no half of
 * a secret stays.
 */
const MAX_RAW = 65_536
const MAX_PATH = 2048
const MAX_LEFTOVER = 2048

export function createDelivery(deps: {
  store: Store
  network: Network
  log: Log
  now: () => Date
  random: () => number
  limits?: Partial<DeliveryLimits>
}): Delivery {
  const { store, network, log, now, random } = deps
  const limits = { ...DELIVERY_LIMITS, ...deps.limits }

  function contextOf(
    { jobId, redact, isDraft = false }: Target,
    runId: string,
    attempt: number,
    signal: AbortSignal,
  ): RunContext {
    const write = (message: unknown): void =>
      log.info({ jobId, runId, attempt }, shorten(redact(String(message).slice(0, MAX_RAW)), MAX_ERROR))
    const leftovers = isDraft ? forgottenLeftovers() : leftoversOf(store, jobId)
    return { jobId, runId, attempt, signal, network, leftovers, log: outsidePlugin(write) }
  }

  /** Calls the plugin; a time limit and `signal` end the call. */
  async function call<Result>(
    target: Target,
    at: { runId: string; attempt: number; signal: AbortSignal; time: number },
    work: (context: RunContext) => Result | Promise<Result>,
  ): Promise<Result> {
    const own = new AbortController()
    const seconds = Math.round(at.time / 1000)
    const timer = setTimeout(() => own.abort(new Error(`it took longer than ${seconds} seconds`)), at.time)
    const forward = (): void => own.abort(at.signal.reason)
    if (at.signal.aborted) forward()
    at.signal.addEventListener('abort', forward, { once: true })
    const onLateFault = (error: unknown): void => {
      const { jobId, redact } = target
      log.warn(
        { jobId, runId: at.runId },
        shorten(`a destination failed after its time: ${redact(describeFault(error))}`, MAX_ERROR),
      )
    }
    try {
      const context = contextOf(target, at.runId, at.attempt, own.signal)
      return await callPlugin(() => work(context), { signal: own.signal, grace: limits.grace, onLateFault })
    } finally {
      clearTimeout(timer)
      at.signal.removeEventListener('abort', forward)
      // Anything that the plugin has not ended itself ends now.
      own.abort(new Error('the call is over'))
    }
  }

  return {
    async deliver(target, files, { runId, maxAttempts, retryUntil, signal, beforeAttempt, onAttempt, onWait }) {
      const { jobId, destination, config, redact } = target
      const paths: string[] = []
      for (let attempt = 1; ; attempt += 1) {
        signal.throwIfAborted()
        await beforeAttempt?.()
        onAttempt?.(attempt)
        try {
          for (const file of files.slice(paths.length)) {
            const at = { runId, attempt, signal, time: limits.attemptTime(file.size) }
            const delivered = await call(target, at, (context) => destination.deliver(file, config, context))
            paths.push(readPath(delivered, redact))
          }
          return paths[0]!
        } catch (error) {
          signal.throwIfAborted()
          const millisecondsLeft = retryUntil - now().getTime()
          const decision = decideRetry({ error, number: attempt, maxAttempts, millisecondsLeft }, random)
          const fault = shorten(redact(describeFault(error)), MAX_ERROR)
          if (decision.kind === 'giveUp') {
            const message = decision.why === undefined ? fault : `${fault} (${decision.why})`
            throw new DeliveryFailed(message, { cause: error })
          }
          log.warn({ jobId, runId, attempt, retryInMs: Math.round(decision.delay) }, `a delivery failed: ${fault}`)
          onWait?.(new Date(now().getTime() + decision.delay))
          await sleep(decision.delay, undefined, { signal }).catch(() => signal.throwIfAborted())
        }
      }
    },

    async check(target, runId, signal) {
      const { destination, config, redact } = target
      try {
        const at = { runId, attempt: 1, signal, time: limits.checkTime }
        await call(target, at, (context) => destination.check?.(config, context))
      } catch (error) {
        signal.throwIfAborted()
        throw new DeliveryFailed(shorten(redact(describeFault(error)), MAX_ERROR), { cause: error })
      }
    },

    async sweep(target, runId, signal) {
      const { jobId, destination, config, redact } = target
      if (destination.sweep === undefined || (await store.read.exportLeftovers.listOf(jobId)).length === 0) return
      try {
        const at = { runId, attempt: 1, signal, time: limits.sweepTime }
        await call(target, at, (context) => destination.sweep?.(config, context))
      } catch (error) {
        const fault = shorten(redact(describeFault(error)), MAX_ERROR)
        log.warn({ jobId, runId }, `leftovers of an earlier run stay at the destination for now: ${fault}`)
      }
    },
  }
}

function readPath(delivered: unknown, redact: (text: string) => string): string {
  const path = (delivered as { destinationPath?: unknown } | undefined)?.destinationPath
  if (typeof path === 'string') return shorten(redact(path), MAX_PATH)
  throw Object.assign(new Error('the plugin did not say where it put the file'), { permanent: true })
}

/** Kept in the database; each write is durable when it resolves. */
function leftoversOf(store: Store, jobId: string): Leftovers {
  return {
    list: outsidePlugin(() => store.read.exportLeftovers.listOf(jobId)),
    note: outsidePlugin(async (name) => {
      assertName(name)
      await store.transaction((tx) => tx.exportLeftovers.note(jobId, name))
    }),
    forget: outsidePlugin(async (name) => {
      assertName(name)
      await store.transaction((tx) => tx.exportLeftovers.forget(jobId, name))
    }),
  }
}

/** Leftovers for checking a draft: kept in memory only. */
function forgottenLeftovers(): Leftovers {
  const names = new Set<string>()
  return {
    list: outsidePlugin(async () => [...names]),
    note: outsidePlugin(async (name) => void names.add(name)),
    forget: outsidePlugin(async (name) => void names.delete(name)),
  }
}

function assertName(name: unknown): void {
  if (typeof name !== 'string' || name === '' || name.length > MAX_LEFTOVER)
    throw new TypeError(`the name of a leftover must be a text of 1 to ${MAX_LEFTOVER} characters`)
}

/** The message of a fault, with the cause's message if that says more. Secrets are not yet removed. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return `it failed with ${typeof error}: ${String(error)}`.slice(0, MAX_RAW)
  const { message, cause, name } = error
  const code = (error as NodeJS.ErrnoException).code
  const own = message === '' ? (code ?? name) : message
  const deeper = cause instanceof Error && !isPermanent(error) ? cause.message : ''
  return (deeper === '' || own.includes(deeper) ? own : `${own}: ${deeper}`).slice(0, MAX_RAW)
}
