// Plugins as destinations of the main thread: each speaks with a thread of its own, which is started again when a call comes
// after its end. Contract 2 §6.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { findFault } from '../destinations/conformance.ts'
import type { ConfigResult, Delivery, ExportFile, Place, RunContext, SeveralContext } from '../../kernel/destination.ts'
import type { Plugin as LoadedPlugin } from '../messengers/messenger-plugin.ts'
import { outsidePlugin } from '../destinations/plugin-calls.ts'
import { assertPluginFile, PluginFault } from '../destinations/plugin-file.ts'
import type { CallOrder, CallResult, PluginFacts, RunFacts } from './plugin-messages.ts'
import { PLUGIN_LIMITS, type PluginLimits } from './limits.ts'
import { factsOf, SeveralFiles, StreamedFile } from './several-files.ts'
import { PluginThread, type ServedFiles } from './thread-client.ts'

export interface PluginThreads {
  /** The module's destination or messenger. @throws PluginFault */
  load(file: string): Promise<LoadedPlugin>
  /** Ends all threads. Calls that are under way reject, and so do later ones. */
  close(): Promise<void>
}

interface PluginThreadsOptions {
  /** Values of `--allow-destination`. */
  readonly allow: readonly string[]
  /** Called with faults that cannot be reported by any run. */
  readonly onFault?: (message: string) => void
  readonly limits?: Partial<PluginLimits>
}

/** Milliseconds at the stop, for threads that cannot be ended. */
const CLOSE_TIME = 5000

export function createPluginThreads({ allow, onFault, limits }: PluginThreadsOptions): PluginThreads {
  const plugins: Plugin[] = []
  let isClosed = false
  return {
    async load(file) {
      if (isClosed) throw new Error('The threads of plugins are closed')
      const plugin = new Plugin(file, { allow, onFault, limits: { ...PLUGIN_LIMITS, ...limits } })
      plugins.push(plugin)
      return asDestination(plugin, await plugin.load())
    },
    async close() {
      isClosed = true
      await Promise.all(plugins.map((plugin) => plugin.close()))
    },
  }
}

interface PluginSettings {
  readonly allow: readonly string[]
  readonly onFault: ((message: string) => void) | undefined
  readonly limits: PluginLimits
}

/** One module, with its current thread, and given-up threads that have not ended yet. */
class Plugin {
  readonly #file: string
  readonly #settings: PluginSettings
  readonly #threads = new Set<PluginThread>()
  #current: Promise<PluginThread> | undefined
  #facts: PluginFacts | undefined
  #isClosed = false

  constructor(file: string, settings: PluginSettings) {
    this.#file = file
    this.#settings = settings
  }

  async load(): Promise<PluginFacts> {
    const thread = this.#start()
    this.#current = thread
    await thread
    return this.#facts!
  }

  async call(order: CallOrder, context?: RunContext, served?: ServedFiles): Promise<CallResult> {
    const thread = await this.#open()
    context?.signal.throwIfAborted()
    return thread.call(order, context, served)
  }

  /** A thread that is blocked in a system call cannot be ended, so the wait for its end is limited. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ending = [...this.#threads].map((thread) => thread.end('the server is stopping'))
    await Promise.race([Promise.all(ending), sleep(CLOSE_TIME, undefined, { ref: false })])
  }

  /** A thread that takes calls. A module that no longer loads fails the calls that wait for it; the next call tries again. */
  async #open(): Promise<PluginThread> {
    if (this.#isClosed) throw new Error('the server is stopping')
    const starting = (this.#current ??= this.#start())
    try {
      return await starting
    } catch (error) {
      if (this.#current === starting) this.#current = undefined
      const what = error instanceof PluginFault ? error.what : String(error)
      throw new Error(`the plugin could not be started again: ${what}`, { cause: error })
    }
  }

  /** The thread starts outside of the current call's async context, because it outlives that call. */
  readonly #start = outsidePlugin(async (): Promise<PluginThread> => {
    await assertPluginFile(this.#file)
    if (this.#isClosed) throw new PluginFault(this.#file, 'the server is stopping')
    const { allow, limits, onFault } = this.#settings
    const thread = new PluginThread({
      file: this.#file,
      allow,
      limits,
      onFault: (message) => onFault?.(`plugin ${this.#file} ${message}`),
      onClosed: () => (this.#current = undefined),
      onEnded: (ended) => this.#threads.delete(ended),
    })
    this.#threads.add(thread)
    try {
      this.#learn(await thread.load())
      return thread
    } catch (error) {
      void thread.end('it was not loaded')
      throw error instanceof PluginFault ? error : new PluginFault(this.#file, (error as Error).message, error)
    }
  })

  /** Jobs, and above all their encrypted secrets, rely on the plugin as it was loaded when the server started. */
  #learn(facts: PluginFacts): void {
    const fault = findFault(asDestination(this, facts))
    if (fault !== undefined) throw new PluginFault(this.#file, fault)
    this.#facts ??= facts
    if (!isDeepStrictEqual(facts, this.#facts))
      throw new PluginFault(
        this.#file,
        'it has another type, other secrets or other functions than when the server started',
      )
  }
}

/** The plugin as the main thread sees it. */
function asDestination(plugin: Plugin, facts: PluginFacts): LoadedPlugin {
  const { type, title, secrets, keys, hasPlace, hasCheck, hasDeliverAll, hasSweep } = facts
  const call = async (what: 'check' | 'sweep', config: unknown, context: RunContext): Promise<void> => {
    await plugin.call({ what, config, run: runOf(context) }, context)
  }
  return {
    type,
    ...(facts.isMessenger ? { isMessenger: true } : {}),
    ...(title === undefined ? {} : { title }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(keys === undefined ? {} : { keys }),
    config: { '~standard': { version: 1, vendor: 'pimlet', validate: (config) => validate(plugin, config) } },
    deliver: (file, config, context) => deliver(plugin, file, config, context),
    ...(hasPlace ? { place: (config: unknown) => askPlace(plugin, config) } : {}),
    ...(hasCheck ? { check: (config: unknown, context: RunContext) => call('check', config, context) } : {}),
    ...(hasDeliverAll
      ? {
          deliverAll: (files: AsyncIterable<ExportFile>, config: unknown, context: SeveralContext) =>
            deliverAll(plugin, files, config, context),
        }
      : {}),
    ...(hasSweep ? { sweep: (config: unknown, context: RunContext) => call('sweep', config, context) } : {}),
  }
}

/**
 * The unchanged settings that the schema knows. The output of the schema stays in the thread, which validates again before
 * each call.
 */
async function validate(plugin: Plugin, config: unknown): Promise<ConfigResult<unknown>> {
  const result = await plugin.call({ what: 'validate', config })
  if (result.what === 'issues')
    return { issues: result.issues.map(({ message, path }) => (path ? { message, path } : { message })) }
  if (result.what !== 'valid') throw new Error('the plugin answered another question')
  if (result.keys === null || typeof config !== 'object' || config === null) return { value: config }
  const known = new Set(result.keys)
  return { value: Object.fromEntries(Object.entries(config).filter(([key]) => known.has(key))) }
}

async function askPlace(plugin: Plugin, config: unknown): Promise<Place> {
  const result = await plugin.call({ what: 'place', config })
  if (result.what !== 'place') throw new Error('the plugin answered another question')
  const { hosts, secretsGoTo } = result
  return {
    hosts: Object.fromEntries(hosts),
    ...(secretsGoTo === null ? {} : { secretsGoTo: Object.fromEntries(secretsGoTo) }),
  }
}

async function deliver(plugin: Plugin, file: ExportFile, config: unknown, context: RunContext): Promise<Delivery> {
  const order = { what: 'deliver', config, run: runOf(context), file: factsOf(file) } as const
  const streamed = file.isStreamed === true ? new StreamedFile(file) : undefined
  const result = await plugin.call(order, context, { streamed }).finally(() => streamed?.close())
  // The runner refuses a delivery without a path.
  return { destinationPath: result.what === 'delivered' ? result.destinationPath : undefined } as Delivery
}

async function deliverAll(
  plugin: Plugin,
  files: AsyncIterable<ExportFile>,
  config: unknown,
  context: SeveralContext,
): Promise<void> {
  const several = new SeveralFiles(files, context)
  await plugin.call({ what: 'deliverAll', config, run: runOf(context) }, context, { several })
}

function runOf({ jobId, runId, attempt }: RunContext): RunFacts {
  return { jobId, runId, attempt }
}
