// The main thread's side of one plugin's thread, from its start to its end. A call that does not end in its time costs
// the thread: nothing else ends an endless loop. Contract 2 §6.
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import { startThread } from '../../kernel/executable/assets.ts'
import type { RunContext } from '../../kernel/destination.ts'
import { makeFaultClaim } from '../destinations/plugin-calls.ts'
import { describeError } from '../destinations/plugin-file.ts'
import { packFault, placeOf, unpackFault } from './plugin-faults.ts'
import type { PluginLimits } from './limits.ts'
import type { SeveralFiles, StreamedFile } from './several-files.ts'
import {
  type Answer,
  type AskedWork,
  type CallOrder,
  type CallResult,
  type FromPluginThread,
  type PluginFacts,
  type PluginThreadData,
  readMessage,
  type ToPluginThread,
} from './plugin-messages.ts'

interface Call {
  /** None for a check of settings. */
  readonly context: RunContext | undefined
  readonly served: ServedFiles
  /** Whether a fault that came after the call's end could still be reported to the caller. */
  readonly claim: (fault: unknown) => boolean
  readonly resolve: (result: CallResult) => void
  readonly reject: (fault: unknown) => void
}

/** Files that the thread asks for. */
export interface ServedFiles {
  /** Set for a delivery of several files. */
  readonly several?: SeveralFiles | undefined
  /** Set for a file that is not on the disk. */
  readonly streamed?: StreamedFile | undefined
}

/** Ended calls that are remembered. */
const MAX_ENDED = 100

/**
 * The calls into one plugin's thread, by number: open calls, and the last ended ones. A plugin may log, note a leftover or fail after
 * its call has ended.
 */
class Calls {
  readonly #underWay = new Map<number, Call>()
  readonly #ended = new Map<number, Call>()
  #last = 0

  get count(): number {
    return this.#underWay.size
  }

  /** Its number, from 1. */
  add(call: Call): number {
    this.#last += 1
    this.#underWay.set(this.#last, call)
    return this.#last
  }

  /** Ends the call and returns it; undefined: it is not open. */
  end(number: number): Call | undefined {
    const call = this.#underWay.get(number)
    if (call === undefined) return undefined
    this.#underWay.delete(number)
    this.#ended.set(number, call)
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= MAX_ENDED) break
      this.#ended.delete(oldest)
    }
    return call
  }

  /** Under way or ended. */
  find(number: number): Call | undefined {
    return this.#underWay.get(number) ?? this.#ended.get(number)
  }

  numbers(): number[] {
    return [...this.#underWay.keys()]
  }
}

interface ThreadSettings {
  readonly file: string
  readonly allow: readonly string[]
  readonly limits: PluginLimits
  /** Called with faults that belong to no call; the text does not name the file. */
  readonly onFault: (message: string) => void
  /** Called when the thread takes no more calls. */
  readonly onClosed: (thread: PluginThread) => void
  readonly onEnded: (thread: PluginThread) => void
}

/** MiB. More would make the thread larger, but not faster. */
const YOUNG_GENERATION = 8
/** Milliseconds for the end of a thread. It takes a few, unless the system or V8 does not release the thread. */
const END_TIME = 3000

export class PluginThread {
  readonly #settings: ThreadSettings
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #calls = new Calls()
  readonly #loaded = Promise.withResolvers<PluginFacts>()
  readonly #exited = Promise.withResolvers<void>()
  #isClosed = false
  /** Why the thread has ended, or is about to end. */
  #why: string | undefined
  #timer: NodeJS.Timeout | undefined
  #aliveTimer: NodeJS.Timeout | undefined

  constructor(settings: ThreadSettings) {
    this.#settings = settings
    const { file, allow, limits } = settings
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const resourceLimits = { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: YOUNG_GENERATION }
    const data: PluginThreadData = { role: 'plugin', file, allow, port: port2 }
    this.#worker = startThread(data, resourceLimits, [port2])
    port1.on('message', (message: unknown) => this.#take(message))
    // The worker alone decides whether the process waits.
    port1.unref()
    this.#worker.on('error', (error: unknown) => this.#explain(error))
    this.#worker.once('exit', () => this.#leave())
    this.#loaded.promise.catch(() => undefined)
  }

  /** Whether the thread takes calls. */
  get isOpen(): boolean {
    return !this.#isClosed
  }

  /** Await it before the first call. Rejects with the fault of an unusable module. */
  async load(): Promise<PluginFacts> {
    const { loadTime } = this.#settings.limits
    const timer = setTimeout(() => void this.end(`not done within ${loadTime / 1000} s`), loadTime)
    try {
      return await this.#loaded.promise
    } finally {
      clearTimeout(timer)
      this.#rest()
    }
  }

  /** `signal` ends the call after the grace. A check of settings has its own time limit. */
  call(order: CallOrder, context?: RunContext, served: ServedFiles = {}): Promise<CallResult> {
    const { promise, resolve, reject } = Promise.withResolvers<CallResult>()
    if (this.#isClosed) return Promise.reject(new Error(this.#why ?? 'the thread of the plugin is ending'))
    const { grace, validateTime } = this.#settings.limits
    const signal = context?.signal
    const number = this.#calls.add({ context, served, claim: makeFaultClaim(), resolve, reject })
    let timer: NodeJS.Timeout | undefined
    const endAfter = (time: number, why: () => unknown): void => {
      timer = setTimeout(() => this.#giveUp(number, why()), time)
    }
    const abort = (): void => {
      // Ends together with the runner's own grace: the runner's next call must not reach this thread.
      endAfter(grace, () => signal?.reason)
      this.#send({ kind: 'abort', call: number, reason: packFault(signal?.reason) })
    }
    try {
      this.#send({ kind: 'call', call: number, order })
    } catch (error) {
      // Settings that cannot be cloned.
      this.#end(number)?.reject(error)
    }
    this.#rest()
    if (signal === undefined) endAfter(validateTime, () => new Error(`it took longer than ${validateTime / 1000} s`))
    else signal.addEventListener('abort', abort, { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }

  /** Ends the thread at once. Open calls reject, even if the thread hangs. */
  async end(why: string): Promise<void> {
    this.#why ??= why
    this.#close()
    this.#failAll()
    const tell = (): void => this.#settings.onFault('has a thread that cannot be ended: only the whole server can')
    const timer = setTimeout(tell, END_TIME).unref()
    await this.#worker.terminate()
    await this.#exited.promise
    clearTimeout(timer)
  }

  #send(message: ToPluginThread): void {
    this.#port.postMessage(message)
  }

  #take(raw: unknown): void {
    const message = readMessage(raw)
    if (message === undefined) return
    if (message.kind === 'loaded') this.#loaded.resolve(message.facts)
    else if (message.kind === 'notLoaded') this.#loaded.reject(new Error(message.why))
    else if (message.kind === 'done') this.#end(message.call)?.resolve(message.result)
    else if (message.kind === 'failed') this.#fail(message.call, unpackFault(message.fault))
    else if (message.kind === 'late') this.#tellLate(message.call, unpackFault(message.fault))
    else if (message.kind === 'log') this.#calls.find(message.call)?.context?.log(message.text)
    else if (message.kind === 'ask') void this.#ask(message)
    else if (message.kind === 'alive') clearTimeout(this.#aliveTimer)
    else {
      this.#why ??= 'a fault outside of any call ended the thread of the plugin'
      this.#settings.onFault(`lost its thread by a fault that belongs to no run: ${message.where}`)
    }
  }

  #end(number: number): ReturnType<Calls['end']> {
    const call = this.#calls.end(number)
    this.#rest()
    return call
  }

  #fail(number: number, fault: unknown): void {
    const call = this.#end(number)
    if (call === undefined) this.#tellLate(number, fault)
    else call.reject(fault)
  }

  #tellLate(number: number, fault: unknown): void {
    if (this.#calls.find(number)?.claim(fault) === true) return
    // The text may contain secrets of an unknown job.
    this.#settings.onFault(
      number === 0
        ? `failed outside of a run: ${describeError(fault)}`
        : `failed long after its call: ${placeOf(fault)}`,
    )
  }

  async #ask({ call, ask, work, name }: FromPluginThread & { kind: 'ask' }): Promise<void> {
    try {
      const answer = await answerTo(this.#calls.find(call), work, name)
      this.#send({ kind: 'answer', ask, answer })
    } catch (error) {
      this.#send({ kind: 'refusal', ask, fault: packFault(error) })
    }
  }

  /** Gives the call up. If the thread still answers, its other calls continue; otherwise they are lost with the thread. */
  #giveUp(number: number, why: unknown): void {
    this.#end(number)?.reject(why)
    this.#close()
    clearTimeout(this.#aliveTimer)
    const end = (): void => void this.end('the thread of the plugin was ended: another call of it did not end')
    this.#aliveTimer = setTimeout(end, this.#settings.limits.aliveTime).unref()
    this.#send({ kind: 'areYouAlive' })
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#settings.onClosed(this)
    this.#rest()
  }

  /** The process does not wait for a thread without calls; the thread ends some time later. */
  #rest(): void {
    clearTimeout(this.#timer)
    if (this.#calls.count > 0) return this.#worker.ref()
    this.#worker.unref()
    const { lingerTime, idleTime } = this.#settings.limits
    const time = this.#isClosed ? lingerTime : idleTime
    this.#timer = setTimeout(() => void this.end('nobody needs it any more'), time).unref()
  }

  #explain(error: unknown): void {
    const isMemory = (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    const memory = `the plugin needs more memory than the ${this.#settings.limits.memory} MiB that it may take`
    this.#why ??= isMemory ? memory : 'the thread of the plugin could not go on'
    this.#settings.onFault(`lost its thread: ${isMemory ? memory : placeOf(error)}`)
  }

  /** Runs after the thread's end, once its last messages have been handled. */
  #leave(): void {
    for (let left = receiveMessageOnPort(this.#port); left !== undefined; left = receiveMessageOnPort(this.#port))
      this.#take(left.message)
    this.#port.close()
    this.#why ??= 'the plugin ended its thread (process.exit)'
    this.#close()
    this.#failAll()
    clearTimeout(this.#timer)
    clearTimeout(this.#aliveTimer)
    this.#settings.onEnded(this)
    this.#exited.resolve()
  }

  #failAll(): void {
    this.#loaded.reject(new Error(`it does not load: Error: ${this.#why}`))
    for (const number of this.#calls.numbers()) this.#calls.end(number)?.reject(new Error(this.#why))
    this.#rest()
  }
}

async function answerTo(call: Call | undefined, work: AskedWork, name: unknown): Promise<Answer> {
  if (work === 'takeFile' || work === 'delivered') {
    const several = call?.served.several
    if (several === undefined) throw new Error('the call of these files is long over')
    if (work === 'takeFile') return { file: await several.take() }
    await several.delivered(name)
    return {}
  }
  if (work === 'openStream' || work === 'readStream' || work === 'closeStream') {
    const streamed = call?.served.streamed
    if (streamed === undefined) throw new Error('the call of this file is long over')
    return streamed.perform(work, name)
  }
  const leftovers = call?.context?.leftovers
  if (leftovers === undefined) throw new Error('the call of these leftovers is long over')
  if (work === 'list') return { names: await leftovers.list() }
  // The main thread refuses invalid names itself.
  await leftovers[work](name as string)
  return {}
}
