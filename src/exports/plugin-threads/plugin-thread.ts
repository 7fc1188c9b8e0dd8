// The thread of one plugin: loads its module, and calls it for the main thread. All that the plugin does, such as endless loops,
// memory without end and `process.exit` included, ends this thread and not the server. Contract 2 §6.
import { pathToFileURL } from 'node:url'
import { type MessagePort, workerData } from 'node:worker_threads'
import { importModule } from '../../kernel/executable/assets.ts'
import { findFault, isObject } from '../destinations/conformance.ts'
import type { ConfigIssue, Destination } from '../../kernel/destination.ts'
import { createNetwork } from '../../kernel/egress/network.ts'
import { callPlugin, claimPluginFault } from '../destinations/plugin-calls.ts'
import { cut, packFault, placeOf, unpackFault } from './plugin-faults.ts'
import { asPlugin, isMessenger, type Plugin } from '../messengers/messenger-plugin.ts'
import { MAX_ISSUES, MAX_STEPS } from './limits.ts'
import type {
  CallOrder,
  CallResult,
  FromPluginThread,
  PluginFacts,
  PluginThreadData,
  ToPluginThread,
} from './plugin-messages.ts'
import { createThreadContexts, type ThreadContexts } from './thread-context.ts'

export async function runPluginThread(): Promise<void> {
  const { file, allow, port } = workerData as PluginThreadData
  // The plugin can see workerData, too.
  Reflect.deleteProperty(workerData as object, 'port')
  const say = (message: FromPluginThread): void => port.postMessage(message)
  process.on('uncaughtException', (error: unknown) => {
    if (claimPluginFault(error)) return
    say({ kind: 'broken', where: placeOf(error) })
    process.exit(1)
  })
  const destination = await load(file, say)
  if (destination === undefined) return
  serve(destination, port, createThreadContexts(port, createNetwork({ allow })))
  say({ kind: 'loaded', facts: factsOf(destination) })
}

/** Undefined: the module is unusable, and the main thread knows why. */
async function load(file: string, say: (message: FromPluginThread) => void): Promise<Plugin | undefined> {
  const onLateFault = (error: unknown): void => say({ kind: 'late', call: 0, fault: packFault(error) })
  const work = async (): Promise<unknown> => unwrapDefault(await importModule(pathToFileURL(file).href))
  try {
    const loaded = await callPlugin(work, { signal: new AbortController().signal, grace: 0, onLateFault })
    const value = isObject(loaded) && isMessenger(loaded) ? asPlugin(loaded) : loaded
    const fault = findFault(value)
    if (fault === undefined) return value as Plugin
    say({ kind: 'notLoaded', why: fault })
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    say({ kind: 'notLoaded', why: cut(`it does not load: ${what}`) })
  }
  return undefined
}

function factsOf(destination: Plugin): PluginFacts {
  const { type, title, secrets, keys, isMessenger: isOfMessages = false } = destination
  const hasPlace = destination.place !== undefined
  const hasCheck = destination.check !== undefined
  const hasDeliverAll = destination.deliverAll !== undefined
  const hasSweep = destination.sweep !== undefined
  return {
    type,
    isMessenger: isOfMessages,
    hasPlace,
    hasCheck,
    hasDeliverAll,
    hasSweep,
    ...(title === undefined ? {} : { title }),
    ...(secrets === undefined ? {} : { secrets: [...secrets] }),
    ...(keys === undefined ? {} : { keys: [...keys] }),
  }
}

/** The default export; for `module.exports = …` and for CommonJS made by a compiler (`exports.default = …`) the thing meant. */
function unwrapDefault(module: unknown): unknown {
  const outer = isObject(module) ? module['default'] : undefined
  return isObject(outer) && !('type' in outer) && 'default' in outer ? outer['default'] : outer
}

function serve(destination: Destination, port: MessagePort, contexts: ThreadContexts): void {
  const signals = new Map<number, AbortController>()
  const say = (message: FromPluginThread): void => port.postMessage(message)

  async function call(number: number, order: CallOrder): Promise<void> {
    const own = new AbortController()
    signals.set(number, own)
    const onLateFault = (error: unknown): void => say({ kind: 'late', call: number, fault: packFault(error) })
    // The main thread judges when a call has had its time.
    const limits = { signal: new AbortController().signal, grace: 0, onLateFault }
    try {
      const work = (): Promise<CallResult> => perform(destination, order, { number, signal: own.signal, contexts })
      say({ kind: 'done', call: number, result: await callPlugin(work, limits) })
    } catch (error) {
      say({ kind: 'failed', call: number, fault: packFault(error) })
    } finally {
      signals.delete(number)
      // Anything that the plugin has not ended itself ends now.
      own.abort(new Error('the call is over'))
    }
  }

  port.on('message', (message: ToPluginThread) => {
    if (message.kind === 'call') void call(message.call, message.order)
    else if (message.kind === 'abort') signals.get(message.call)?.abort(unpackFault(message.reason))
    else if (message.kind === 'answer') contexts.answer(message.ask, message.answer)
    else if (message.kind === 'refusal') contexts.refuse(message.ask, message.fault)
    else say({ kind: 'alive' })
  })
}

async function perform(
  destination: Destination,
  order: CallOrder,
  { number, signal, contexts }: { number: number; signal: AbortSignal; contexts: ThreadContexts },
): Promise<CallResult> {
  const checked = await validate(destination, order.config)
  if (order.what === 'validate') return checked.result
  if (checked.result.what === 'issues') throw refuse(checked.result.issues)
  if (order.what === 'place') return packPlace(await destination.place?.(checked.config))
  const context = contexts.contextOf(number, order.run, signal)
  if (order.what === 'deliver') {
    const delivered: unknown = await destination.deliver(contexts.fileOf(number, order.file), checked.config, context)
    const where = isObject(delivered) ? delivered['destinationPath'] : undefined
    return { what: 'delivered', ...(typeof where === 'string' ? { destinationPath: cut(where) } : {}) }
  }
  if (order.what === 'deliverAll') {
    const several = contexts.severalOf(number, context)
    await destination.deliverAll?.(several.files, checked.config, several.context)
  } else await destination[order.what]?.(checked.config, context)
  return { what: 'nothing' }
}

/** `config`: as the schema put it out. */
async function validate(
  { config: schema }: Destination,
  config: unknown,
): Promise<{ readonly result: CallResult; readonly config?: unknown }> {
  // A copy: the schema may change its input, which is compared with its output afterwards.
  const found: unknown = await schema['~standard'].validate(structuredClone(config))
  if (!isObject(found)) throw new TypeError('the schema has put out neither a value nor issues')
  const { issues, value } = found
  if (issues !== undefined && !Array.isArray(issues)) throw new TypeError('the issues of the schema are no array')
  if (issues !== undefined && issues.length > 0)
    return { result: { what: 'issues', issues: issues.slice(0, MAX_ISSUES).map(packIssue) } }
  const isCompared = isObject(value) && isObject(config)
  const keys = isCompared ? Object.keys(config).filter((key) => Object.hasOwn(value, key)) : null
  return { result: { what: 'valid', keys }, config: value }
}

function packPlace(place: unknown): CallResult {
  const { hosts, secretsGoTo } = isObject(place) ? place : {}
  const pack = (map: object): [string, string][] =>
    Object.entries(map).map(([key, value]: [string, unknown]) => [cut(key), cut(String(value))])
  return {
    what: 'place',
    hosts: isObject(hosts) ? pack(hosts) : [],
    secretsGoTo: isObject(secretsGoTo) ? pack(secretsGoTo) : null,
  }
}

type PackedIssue = (CallResult & { what: 'issues' })['issues'][number]

/** A plugin may be written without types. */
function packIssue(issue: unknown): PackedIssue {
  const { message, path } = (isObject(issue) ? issue : {}) as { message?: unknown; path?: ConfigIssue['path'] }
  if (!Array.isArray(path)) return { message: cut(String(message)) }
  const keys = path.slice(0, MAX_STEPS).map((step: unknown) => (isObject(step) ? step['key'] : step))
  return {
    message: cut(String(message)),
    path: keys.map((key) => (typeof key === 'number' ? key : cut(String(key)))),
  }
}

/** The settings were right when the job was read, a moment ago. */
function refuse([issue]: readonly PackedIssue[]): Error {
  const field = (issue?.path ?? []).map((key) => `${key}: `).join('')
  const error = new Error(`the destination no longer takes its settings: ${field}${issue?.message}`)
  return Object.assign(error, { permanent: true })
}
