// Faults between threads: the parts of a thrown value that a run reports or the runner needs.
import { MAX_TEXT } from './limits.ts'
import type { PackedFault } from './plugin-messages.ts'

/** Never throws, for any `fault`. */
export function packFault(fault: unknown): PackedFault {
  try {
    return fault instanceof Error ? packError(fault) : packOther(fault)
  } catch {
    return { kind: 'object', text: 'a fault that cannot be described' }
  }
}

/** The error, or another thrown value. */
export function unpackFault(packed: PackedFault): unknown {
  if (packed.kind === 'value') return packed.value
  const { permanent, pauseJob, retryAfterMs } = packed
  const marks = defined({ permanent, pauseJob, retryAfterMs })
  if (packed.kind === 'object') return Object.assign({ toString: () => packed.text }, marks)
  const { name, message, stack, code, cause } = packed
  const error = new Error(message, cause === undefined ? {} : { cause: named(new Error(cause.message), cause.name) })
  if (stack !== undefined) error.stack = stack
  return Object.assign(named(error, name), defined({ code }), marks)
}

/** The kind of a fault and the lines of its trace. The message is left out, because it may contain a secret. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const frames = String(error.stack).match(/^ {4}at .*$/gm) ?? []
  return [error.name, ...frames].join('\n').slice(0, 4000)
}

export function cut(text: string): string {
  return text.slice(0, MAX_TEXT)
}

/** A plugin may be written without types. */
function packError(error: Error): PackedFault {
  const { name, message, stack, cause, code } = error as { [key in keyof Error]: unknown } & { code?: unknown }
  return {
    kind: 'error',
    name: cut(String(name)),
    message: cut(String(message)),
    ...(typeof stack === 'string' ? { stack: cut(stack) } : {}),
    ...(typeof code === 'string' ? { code: cut(code) } : typeof code === 'number' ? { code } : {}),
    ...(cause instanceof Error ? { cause: { name: cut(cause.name), message: cut(cause.message) } } : {}),
    ...marksOf(error),
  }
}

function packOther(fault: unknown): PackedFault {
  if (typeof fault === 'string') return { kind: 'value', value: cut(fault) }
  if (typeof fault === 'number' || typeof fault === 'boolean' || fault === null || fault === undefined)
    return { kind: 'value', value: fault }
  const text = cut((fault as { toString(): string }).toString())
  return { kind: 'object', text, ...(typeof fault === 'object' ? marksOf(fault) : {}) }
}

/** The properties by which the runner knows the kind of a fault. */
function marksOf(fault: object): { permanent?: boolean; pauseJob?: boolean; retryAfterMs?: number } {
  const { permanent, pauseJob, retryAfterMs } = fault as Record<string, unknown>
  return {
    ...(permanent === true ? { permanent } : {}),
    ...(pauseJob === true ? { pauseJob } : {}),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
  }
}

function named(error: Error, name: string): Error {
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  return error
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
