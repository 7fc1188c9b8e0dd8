// Messages between the main thread and a plugin's thread. The plugin may send anything, so other messages are refused.
import type { MessagePort } from 'node:worker_threads'
import * as v from 'valibot'
import type { ExportFile } from '../../kernel/destination.ts'
import { MAX_ISSUES, MAX_KEYS, MAX_STEPS, MAX_TEXT } from './limits.ts'

export interface PluginThreadData {
  readonly role: 'plugin'
  /** The module; an absolute path. */
  readonly file: string
  /** Values of `--allow-destination`. */
  readonly allow: readonly string[]
  /** A port of their own: the plugin can reach `parentPort`. */
  readonly port: MessagePort
}

const Text = v.pipe(v.string(), v.maxLength(MAX_TEXT))
const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const marks = {
  permanent: v.optional(v.boolean()),
  pauseJob: v.optional(v.boolean()),
  retryAfterMs: v.optional(v.number()),
}

const PackedFault = v.variant('kind', [
  v.object({
    kind: v.literal('error'),
    name: Text,
    message: Text,
    stack: v.optional(Text),
    code: v.optional(v.union([Text, v.number()])),
    cause: v.optional(v.object({ name: Text, message: Text })),
    ...marks,
  }),
  v.object({ kind: v.literal('object'), text: Text, ...marks }),
  v.object({
    kind: v.literal('value'),
    value: v.union([Text, v.number(), v.boolean(), v.bigint(), v.null(), v.undefined()]),
  }),
])
/** A thrown value, with the properties that the runner needs. */
export type PackedFault = v.InferOutput<typeof PackedFault>

const PluginFacts = v.object({
  type: Text,
  title: v.optional(Text),
  secrets: v.optional(v.pipe(v.array(Text), v.maxLength(MAX_KEYS))),
  keys: v.optional(v.pipe(v.array(Text), v.maxLength(MAX_KEYS))),
  isMessenger: v.boolean(),
  hasPlace: v.boolean(),
  hasCheck: v.boolean(),
  hasDeliverAll: v.boolean(),
  hasSweep: v.boolean(),
})
/** The description of a plugin on the main thread. */
export type PluginFacts = v.InferOutput<typeof PluginFacts>

const Issue = v.object({
  message: Text,
  path: v.optional(v.pipe(v.array(v.union([Text, v.number()])), v.maxLength(MAX_STEPS))),
})

/** Key and text: an object could not hold every key. */
const Pairs = v.pipe(v.array(v.tuple([Text, Text])), v.maxLength(MAX_KEYS))

const Result = v.variant('what', [
  v.object({ what: v.literal('issues'), issues: v.pipe(v.array(Issue), v.maxLength(MAX_ISSUES)) }),
  /** `keys`: keys of the schema's output; null if the output is no object. */
  v.object({ what: v.literal('valid'), keys: v.nullable(v.pipe(v.array(Text), v.maxLength(MAX_KEYS))) }),
  /** `secretsGoTo`: null where the plugin says nothing of it. */
  v.object({ what: v.literal('place'), hosts: Pairs, secretsGoTo: v.nullable(Pairs) }),
  v.object({ what: v.literal('delivered'), destinationPath: v.optional(Text) }),
  v.object({ what: v.literal('nothing') }),
])
export type CallResult = v.InferOutput<typeof Result>

const LEFTOVER_WORK = ['list', 'note', 'forget'] as const
/** Requests of a delivery of several files. */
const FILE_WORK = ['takeFile', 'delivered'] as const
/** Requests for the bytes of a file that is not on the disk. */
const STREAM_WORK = ['openStream', 'readStream', 'closeStream'] as const
export type StreamWork = (typeof STREAM_WORK)[number]
export type AskedWork = (typeof LEFTOVER_WORK)[number] | (typeof FILE_WORK)[number] | StreamWork

const FromPluginThread = v.variant('kind', [
  v.object({ kind: v.literal('loaded'), facts: PluginFacts }),
  v.object({ kind: v.literal('notLoaded'), why: Text }),
  v.object({ kind: v.literal('done'), call: Id, result: Result }),
  v.object({ kind: v.literal('failed'), call: Id, fault: PackedFault }),
  /** Call 0: loading the module. */
  v.object({ kind: v.literal('late'), call: Id, fault: PackedFault }),
  v.object({ kind: v.literal('log'), call: Id, text: Text }),
  v.object({
    kind: v.literal('ask'),
    call: Id,
    ask: Id,
    work: v.picklist([...LEFTOVER_WORK, ...FILE_WORK, ...STREAM_WORK]),
    name: v.unknown(),
  }),
  v.object({ kind: v.literal('alive') }),
  /** A fault that belongs to no call: the thread ends. `where`: without anything that the plugin has said. */
  v.object({ kind: v.literal('broken'), where: Text }),
])
export type FromPluginThread = v.InferOutput<typeof FromPluginThread>

/** Undefined for anything that is not a valid message. */
export function readMessage(message: unknown): FromPluginThread | undefined {
  const read = v.safeParse(FromPluginThread, message)
  return read.success ? read.output : undefined
}

export interface RunFacts {
  readonly jobId: string
  readonly runId: string
  readonly attempt: number
}

/** `config`: the stored settings. The thread validates them again, because the output of a schema need not be cloneable. */
export type CallOrder =
  | { readonly what: 'validate'; readonly config: unknown }
  | { readonly what: 'place'; readonly config: unknown }
  | { readonly what: 'check' | 'sweep' | 'deliverAll'; readonly config: unknown; readonly run: RunFacts }
  | {
      readonly what: 'deliver'
      readonly config: unknown
      readonly run: RunFacts
      readonly file: FileFacts
    }

/** A file, which both threads read from the disk. */
export type FileFacts = Omit<ExportFile, 'open'>

/** The answer to a question of the thread. `file`: undefined: there is no further one. */
export interface Answer {
  readonly names?: readonly string[]
  readonly file?: FileFacts | undefined
  /** The number of an opened stream. */
  readonly stream?: number
  /** The next bytes of a stream; undefined: it has ended. */
  readonly chunk?: Uint8Array | undefined
}

export type ToPluginThread =
  | { readonly kind: 'call'; readonly call: number; readonly order: CallOrder }
  | { readonly kind: 'abort'; readonly call: number; readonly reason: PackedFault }
  | { readonly kind: 'answer'; readonly ask: number; readonly answer: Answer }
  | { readonly kind: 'refusal'; readonly ask: number; readonly fault: PackedFault }
  | { readonly kind: 'areYouAlive' }
