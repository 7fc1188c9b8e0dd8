// The log: one line an event on standard error, JSON or for the eye. Decisions §8. Home of pino. Nothing secret is
// logged anywhere; the names below are redacted all the same.
import { Writable } from 'node:stream'
import { pino } from 'pino'
import pretty from 'pino-pretty'
import { withSourceLines } from './source-lines.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export const LOG_FORMATS = ['pretty', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

type Write = (fields: object, message?: string) => void

interface Sink {
  readonly write: (line: string) => void
}

/** Characters that are written together, at the latest after as many milliseconds. */
const WRITTEN_TOGETHER = 8192
const FLUSH_MILLISECONDS = 100
/** Bytes that wait for a standard error which nobody reads; what comes then is dropped. */
const MAX_WAITING = 4 * 1024 * 1024

export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  /** As `info`, where every field is the server's own: to look for secrets in it would take longer than the line. */
  readonly plainInfo: Write
  readonly isLevelEnabled: (level: string) => boolean
}

const SECRET_NAMES = ['password', 'accessToken', 'authorization', 'key', 'secret']

/** `write` gets each line; standard error where it is not given. */
export function createLog(options: { level: LogLevel; format: LogFormat; write?: (line: string) => void }): Log {
  const { write } = options
  const sink = write === undefined ? standardError() : { write }
  const stream = options.format === 'pretty' ? prettyStream(sink, write === undefined && process.stderr.isTTY) : sink
  const redact = SECRET_NAMES.flatMap((name) => [name, `*.${name}`])
  const common = { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const log = pino({ ...common, redact, serializers: { err: serializeError } }, stream)
  const plain = pino(common, stream)
  const bind = (level: 'debug' | 'info' | 'warn' | 'error'): Write => log[level].bind(log)
  return {
    debug: bind('debug'),
    info: bind('info'),
    warn: bind('warn'),
    error: bind('error'),
    plainInfo: plain.info.bind(plain),
    isLevelEnabled: (level) => log.isLevelEnabled(level),
  }
}

/**
 * Lines are put together: a write of its own for each takes longer than the line. Node's own stream does not block on a pipe
 * that nobody reads; pino's destination would, in the thread pool, and keep the process from ending.
 */
function standardError(): Sink {
  const { stderr } = process
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (stderr.writableLength < MAX_WAITING) stderr.write(waiting)
    waiting = ''
  }
  // A reader that has gone away and a full disk cost lines, not the server.
  stderr.on('error', () => undefined)
  process.once('exit', flush)
  return {
    write(line) {
      waiting += line
      if (waiting.length >= WRITTEN_TOGETHER) flush()
      else timer ??= setTimeout(flush, FLUSH_MILLISECONDS).unref()
    },
  }
}

function prettyStream(sink: Sink, colorize: boolean): ReturnType<typeof pretty> {
  const destination = new Writable({
    decodeStrings: false,
    write(text: string | Buffer, _encoding, done) {
      sink.write(String(text))
      done()
    },
  })
  return pretty({ destination, colorize, ignore: 'pid,hostname' })
}

function serializeError(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error)
  return typeof serialized.stack === 'string' ? { ...serialized, stack: withSourceLines(serialized.stack) } : serialized
}
