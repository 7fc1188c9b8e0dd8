// The log: one line an event on standard error, JSON or for the eye. Contract 2 §8. Home of pino. Nothing secret is
// logged anywhere; the names below are redacted all the same.
import { Writable } from 'node:stream'
import { pino } from 'pino'
import pretty from 'pino-pretty'
import { escapeControls } from '../text.ts'
import { withSourceLines } from '../executable/source-lines.ts'
import type { System } from '../machine/system.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export const LOG_FORMATS = ['pretty', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

type Write = (fields: object, message?: string) => void

/** A line of `plainInfo`. */
interface PlainLine {
  readonly time: Date
  readonly fields: object
  readonly message: string
}

interface Sink {
  readonly write: (line: string | PlainLine) => void
}

/** Lines are written together, and at the latest after this many milliseconds. */
const WRITTEN_TOGETHER = 64
const FLUSH_MILLISECONDS = 100
/** Bytes that wait for an unread standard error; further lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024

export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  /**
   * Like `info`, for lines about requests. All fields are the server's own, so secrets need not be redacted, and `fields`
   * are serialised when the line is written: doing so between other work would slow short requests.
   */
  readonly plainInfo: (fields: object, message: string) => void
  readonly isLevelEnabled: (level: string) => boolean
}

const SECRET_NAMES = ['password', 'accessToken', 'authorization', 'key', 'secret']

/** Control characters that JSON leaves unescaped. */
const UNESCAPED_IN_JSON = /[\u007f-\u009f]/g

interface LogOptions {
  readonly level: LogLevel
  readonly format: LogFormat
  readonly system: Pick<System, 'now'>
  /** Receives each line; default: standard error. */
  readonly write?: (line: string) => void
}

export function createLog({ level, format, system, write }: LogOptions): Log {
  const sink = write === undefined ? standardError() : { write: (line: string | PlainLine) => write(toText(line)) }
  const isPretty = format === 'pretty'
  const stream = isPretty
    ? prettyStream(sink, write === undefined && process.stderr.isTTY)
    : { write: (line: string) => sink.write(line.replaceAll(UNESCAPED_IN_JSON, escapeControls)) }
  const redact = SECRET_NAMES.flatMap((name) => [name, `*.${name}`])
  const timestamp = (): string => `,"time":"${system.now().toISOString()}"`
  const log = pino({ level, base: null, timestamp, redact, serializers: { err: serializeError } }, stream)
  const bind = (name: 'debug' | 'info' | 'warn' | 'error'): Write => log[name].bind(log)
  return {
    debug: bind('debug'),
    info: bind('info'),
    warn: bind('warn'),
    error: bind('error'),
    plainInfo(fields, message) {
      if (!log.isLevelEnabled('info')) return
      const line = { time: system.now(), fields, message }
      if (isPretty) stream.write(toText(line))
      else sink.write(line)
    },
    isLevelEnabled: (name) => log.isLevelEnabled(name),
  }
}

/**
 * Lines are written together, because a write takes longer than a line. Node's stream does not block on an unread pipe.
 * pino's destination would block a thread of the pool and keep the process from ending.
 */
function standardError(): Sink {
  const { stderr } = process
  let waiting: (string | PlainLine)[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (stderr.writableLength < MAX_WAITING) stderr.write(waiting.map(toText).join(''))
    waiting = []
  }
  // A reader that has gone away and a full disk cost lines, not the server.
  stderr.on('error', () => undefined)
  process.once('exit', flush)
  return {
    write(line) {
      waiting.push(line)
      if (waiting.length >= WRITTEN_TOGETHER) flush()
      else timer ??= setTimeout(flush, FLUSH_MILLISECONDS).unref()
    },
  }
}

/** A plain line as pino would write it. */
function toText(line: string | PlainLine): string {
  if (typeof line === 'string') return line
  const { time, fields, message } = line
  const whole = { level: pino.levels.values['info'], time: timeText(time), ...fields, msg: message }
  return `${JSON.stringify(whole)}\n`
}

let latest = { milliseconds: Number.NaN, text: '' }

/** Under load many lines share a millisecond, and making its text takes longer than the rest of a line. */
function timeText(time: Date): string {
  const milliseconds = time.getTime()
  if (milliseconds !== latest.milliseconds) latest = { milliseconds, text: time.toISOString() }
  return latest.text
}

function prettyStream(sink: Sink, colorize: boolean): ReturnType<typeof pretty> {
  const destination = new Writable({
    decodeStrings: false,
    write(text: string | Buffer, _encoding, done) {
      sink.write(withoutForeignControls(String(text)))
      done()
    },
  })
  return pretty({ destination, colorize, ignore: 'pid,hostname' })
}

/** Removes control characters of logged data; line ends and colours are the log's own. */
function withoutForeignControls(text: string): string {
  return text.replaceAll(/\n|\p{Cc}\[[\d;]*m|\p{Cc}/gu, (found) =>
    found === '\n' || found.startsWith('\u001b[') ? found : escapeControls(found),
  )
}

function serializeError(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error)
  return typeof serialized.stack === 'string' ? { ...serialized, stack: withSourceLines(serialized.stack) } : serialized
}
