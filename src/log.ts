// The log: one line an event on standard error, JSON or for the eye. Decisions §8. Home of pino. Nothing secret is
// logged anywhere; the names below are redacted all the same.
import { pino } from 'pino'
import pretty from 'pino-pretty'
import { withSourceLines } from './source-lines.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export const LOG_FORMATS = ['pretty', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

type Write = (fields: object, message?: string) => void

export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  readonly isLevelEnabled: (level: string) => boolean
}

const SECRET_NAMES = ['password', 'accessToken', 'authorization', 'key', 'secret']

/** `write` gets each line; standard error where it is not given. */
export function createLog(options: { level: LogLevel; format: LogFormat; write?: (line: string) => void }): Log {
  const { write } = options
  const destination =
    write === undefined ? pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 100 }) : { write }
  const stream =
    options.format === 'pretty'
      ? pretty({ destination, colorize: write === undefined && process.stderr.isTTY, ignore: 'pid,hostname' })
      : destination
  const redact = SECRET_NAMES.flatMap((name) => [name, `*.${name}`])
  return pino(
    {
      level: options.level,
      redact,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
    },
    stream,
  )
}

function serializeError(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error)
  return typeof serialized.stack === 'string' ? { ...serialized, stack: withSourceLines(serialized.stack) } : serialized
}
