// Delivers a finished file: attempts with time limits, and pauses between them. Also checks a destination, and removes leftovers
// of earlier faults. Contract 2 §6.
import { setTimeout as sleep } from 'node:timers/promises'
import { shorten } from '../../kernel/errors.ts'
import { plainTls } from '../../kernel/egress/tls-faults.ts'
import { escapeControls } from '../../kernel/text.ts'
import type { Log } from '../../kernel/observing/log.ts'
import type { Store } from '../../store/port.ts'
import type { ExportFile, Leftovers, Network, RunContext } from '../../kernel/destination.ts'
import type { Target } from '../destinations/destinations.ts'
import { callPlugin, outsidePlugin } from '../destinations/plugin-calls.ts'
import { decideRetry, isPermanent } from './retry.ts'

/** All milliseconds. */
export interface DeliveryLimits {
  /** Milliseconds for one attempt; `size`: bytes to send. */
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

/** Files that are made while they are delivered. */
export interface SeveralFiles {
  /** The files that the destination does not have, each time from the first on. */
  pending(): AsyncGenerator<ExportFile, void>
  /** Resolves when the database has noted that the destination has the file. */
  delivered(file: ExportFile): Promise<void>
  /** Ends an attempt: removes all files that were made for the attempt. */
  drop(): Promise<void>
}

export interface Delivery {
  /**
   * Delivers files until the destination has all of them. After an attempt that delivered some files, attempts are counted
   * from one again. Rejects as `deliver` does.
   */
  deliverAll(target: Target, several: SeveralFiles, order: DeliveryOrder): Promise<void>
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

/** The fault of the last attempt, worded as the run's error. */
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
    work: (context: RunContext, prolong: (time: number) => void) => Result | Promise<Result>,
  ): Promise<Result> {
    const own = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const prolong = (time: number): void => {
      clearTimeout(timer)
      const seconds = Math.round(time / 1000)
      timer = setTimeout(() => own.abort(new Error(`it took longer than ${seconds} seconds`)), time)
    }
    prolong(at.time)
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
      return await callPlugin(() => work(context, prolong), { signal: own.signal, grace: limits.grace, onLateFault })
    } finally {
      clearTimeout(timer)
      at.signal.removeEventListener('abort', forward)
      // Anything that the plugin has not ended itself ends now.
      own.abort(new Error('the call is over'))
    }
  }

  /**
   * Attempts until one succeeds.
   * @param hasComeFurther whether the last attempt delivered a file: attempts then count from one again
   */
  async function attempts(
    { jobId, redact }: Target,
    { runId, maxAttempts, retryUntil, signal, beforeAttempt, onAttempt, onWait }: DeliveryOrder,
    work: (attempt: number) => Promise<void>,
    hasComeFurther = (): boolean => false,
  ): Promise<void> {
    let number = 0
    for (let attempt = 1; ; attempt += 1) {
      number += 1
      signal.throwIfAborted()
      await beforeAttempt?.()
      onAttempt?.(attempt)
      try {
        return await work(attempt)
      } catch (error) {
        signal.throwIfAborted()
        if (hasComeFurther()) number = 1
        const millisecondsLeft = retryUntil - now().getTime()
        const decision = decideRetry({ error, number, maxAttempts, millisecondsLeft }, random)
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
  }

  /** One attempt to deliver all files. */
  async function deliverSome(
    target: Target,
    several: SeveralFiles,
    { runId, attempt, signal }: DeliveryOrder & { readonly attempt: number },
  ): Promise<void> {
    const { destination, config } = target
    const files = several.pending()
    try {
      if (destination.deliverAll === undefined) {
        for await (const file of files) {
          const at = { runId, attempt, signal, time: limits.attemptTime(file.size) }
          readPath(await call(target, at, (context) => destination.deliver(file, config, context)), target.redact)
          await several.delivered(file)
        }
        return
      }
      const at = { runId, attempt, signal, time: limits.attemptTime(0) }
      await call(target, at, async (context, prolong) => {
        const watched = watchFiles(files, several, (bytes) => prolong(limits.attemptTime(bytes)))
        await destination.deliverAll!(watched.files, config, { ...context, delivered: watched.delivered })
        watched.assertDone()
      })
    } finally {
      // A maker of files that was left in the middle ends, too.
      await files.return()
      await several.drop()
    }
  }

  return {
    async deliver(target, files, order) {
      const { destination, config, redact } = target
      const { runId, signal } = order
      const paths: string[] = []
      await attempts(target, order, async (attempt) => {
        for (const file of files.slice(paths.length)) {
          const at = { runId, attempt, signal, time: limits.attemptTime(file.size) }
          const delivered = await call(target, at, (context) => destination.deliver(file, config, context))
          paths.push(readPath(delivered, redact))
        }
      })
      return paths[0]!
    },

    async deliverAll(target, several, order) {
      let count = 0
      let before = 0
      const counted: SeveralFiles = {
        pending: () => several.pending(),
        drop: () => several.drop(),
        async delivered(file) {
          await several.delivered(file)
          count += 1
        },
      }
      const hasComeFurther = (): boolean => {
        const isFurther = count > before
        before = count
        return isFurther
      }
      await attempts(target, order, (attempt) => deliverSome(target, counted, { ...order, attempt }), hasComeFurther)
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

/** The files as a plugin takes them. `onMove`: called with the number of bytes that are taken and not confirmed. */
function watchFiles(from: AsyncGenerator<ExportFile, void>, several: SeveralFiles, onMove: (bytes: number) => void) {
  const taken = new Set<ExportFile>()
  let isTaken = false
  const move = (): void => onMove([...taken].reduce((sum, { size }) => sum + size, 0))
  async function* files(): AsyncGenerator<ExportFile, void> {
    for (;;) {
      // Files are made by the server, not by the plugin.
      const { done, value } = await outsidePlugin(() => from.next())()
      isTaken = done === true
      if (done === true) return
      taken.add(value)
      move()
      yield value
    }
  }
  const delivered = outsidePlugin(async (file: ExportFile): Promise<void> => {
    await several.delivered(file)
    taken.delete(file)
    move()
  })
  const assertDone = (): void => {
    if (isTaken && taken.size === 0) return
    throw Object.assign(new Error('the plugin did not confirm all files'), { permanent: true })
  }
  return { files: files(), delivered, assertDone }
}

function readPath(delivered: unknown, redact: (text: string) => string): string {
  const path = (delivered as { destinationPath?: unknown } | undefined)?.destinationPath
  if (typeof path === 'string') return shorten(redact(path), MAX_PATH)
  throw Object.assign(new Error('the plugin did not say where it put the file'), { permanent: true })
}

/** Leftovers in the database; each write is durable when its promise resolves. */
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
  const own = message === '' ? (code ?? name) : plainTls(message)
  const deeper = cause instanceof Error && !isPermanent(error) ? plainTls(cause.message) : ''
  return (deeper === '' || own.includes(deeper) ? own : `${own}: ${deeper}`).slice(0, MAX_RAW)
}
