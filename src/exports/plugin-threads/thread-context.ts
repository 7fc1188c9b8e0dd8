// A plugin's RunContext inside its thread: the log and the leftovers are the main thread's, and asked for by messages.
import { Readable } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import type { ExportFile, Network, RunContext, SeveralContext } from '../../kernel/destination.ts'
import { asExportFile } from '../engine/spool.ts'
import { cut, unpackFault } from './plugin-faults.ts'
import type { Answer, AskedWork, FileFacts, FromPluginThread, PackedFault, RunFacts } from './plugin-messages.ts'

/** Log lines are limited, so that a plugin which never ends cannot fill the main thread's memory. */
const MAX_LINES = 1000
const LINES_TIME = 100
const MAX_ASKS = 1000

export interface ThreadContexts {
  contextOf(call: number, facts: RunFacts, signal: AbortSignal): RunContext
  fileOf(call: number, facts: FileFacts): ExportFile
  /** The files of a delivery of several, and its context. */
  severalOf(call: number, context: RunContext): { files: AsyncGenerator<ExportFile, void>; context: SeveralContext }
  /** The main thread's answer to an `ask`. */
  answer(ask: number, answer: Answer): void
  refuse(ask: number, fault: PackedFault): void
}

export function createThreadContexts(port: MessagePort, network: Network): ThreadContexts {
  const asks = new Map<number, PromiseWithResolvers<Answer>>()
  const say = createLogWriter(port)
  let lastAsk = 0

  function ask(call: number, work: AskedWork, name?: unknown): Promise<Answer> {
    if (asks.size >= MAX_ASKS) return Promise.reject(new Error(`more than ${MAX_ASKS} questions are asked at once`))
    const answered = Promise.withResolvers<Answer>()
    lastAsk += 1
    // Names are checked on the main thread. Anything but text is invalid anyway, and might not be cloneable.
    const sent = typeof name === 'string' ? cut(name) : isOfStream(work) ? name : undefined
    port.postMessage({ kind: 'ask', call, ask: lastAsk, work, name: sent } satisfies FromPluginThread)
    asks.set(lastAsk, answered)
    return answered.promise
  }

  function take(number: number): PromiseWithResolvers<Answer> | undefined {
    const found = asks.get(number)
    asks.delete(number)
    return found
  }

  async function* filesOf(call: number): AsyncGenerator<ExportFile, void> {
    for (;;) {
      const { file } = await ask(call, 'takeFile')
      if (file === undefined) return
      const { path, ...facts } = file
      yield asExportFile(path, facts)
    }
  }

  /** The bytes come from the main thread, when they are asked for. */
  async function* bytesOf(call: number, range?: Range): AsyncGenerator<Uint8Array, void> {
    const asked = range === undefined ? undefined : { start: range.start, end: range.end }
    const { stream } = await ask(call, 'openStream', asked)
    try {
      for (;;) {
        const { chunk } = await ask(call, 'readStream', stream)
        if (chunk === undefined) return
        yield chunk
      }
    } finally {
      await ask(call, 'closeStream', stream).catch(() => undefined)
    }
  }

  return {
    fileOf(call, { path, ...facts }) {
      if (facts.isStreamed !== true) return asExportFile(path, facts)
      return { ...facts, path, open: (range) => Readable.from(buffersOf(bytesOf(call, range)), { objectMode: false }) }
    },
    contextOf: (call, { jobId, runId, attempt }, signal) => ({
      jobId,
      runId,
      attempt,
      signal,
      network,
      leftovers: {
        list: async () => (await ask(call, 'list')).names ?? [],
        note: async (name) => void (await ask(call, 'note', name)),
        forget: async (name) => void (await ask(call, 'forget', name)),
      },
      log: (message: unknown) => say(call, cut(String(message))),
    }),
    severalOf: (call, context) => ({
      files: filesOf(call),
      context: { ...context, delivered: async (file) => void (await ask(call, 'delivered', nameOf(file))) },
    }),
    answer: (number, answer) => take(number)?.resolve(answer),
    refuse: (number, fault) => take(number)?.reject(unpackFault(fault)),
  }
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Requests whose numbers belong to this thread. */
function isOfStream(work: AskedWork): boolean {
  return work === 'openStream' || work === 'readStream' || work === 'closeStream'
}

async function* buffersOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  for await (const { buffer, byteOffset, length } of chunks) yield Buffer.from(buffer, byteOffset, length)
}

/** A plugin may be written without types. */
function nameOf(file: unknown): unknown {
  return (file as { name?: unknown } | null | undefined)?.name
}

/**
 * Passes on a limited number of lines at a time. Then it counts the lines that were left out, under the run that logged too
 * much.
 */
function createLogWriter(port: MessagePort): (call: number, text: string) => void {
  let count = 0
  let last = 0
  const write = (call: number, text: string): void =>
    port.postMessage({ kind: 'log', call, text } satisfies FromPluginThread)
  const begin = (): void => {
    if (count > MAX_LINES) write(last, `(${count - MAX_LINES} lines of the plugin were left out)`)
    count = 0
  }
  return (call, text) => {
    count += 1
    last = call
    if (count <= MAX_LINES) write(call, text)
    if (count === 1) setTimeout(begin, LINES_TIME).unref()
  }
}
