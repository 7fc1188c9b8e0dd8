// The name of an exported file, made from the job's template. Contract 1 §2.9, 2 §6.
import { hasMoreBytes } from '../../kernel/text.ts'
import type { ExportFormat } from './export-format.ts'

export interface FilenameParts {
  /** The moment that `{date}` and `{time}` name: the run's, not the attempt's. */
  readonly at: Date
  /** IANA time zone of the job. */
  readonly timezone: string
  readonly jobId: string
  readonly runId: string
  readonly format: ExportFormat
  readonly isCompressed: boolean
}

const PLACEHOLDERS = ['date', 'time', 'jobId', 'runId', 'format'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]

/** The limit of file systems and object stores. */
const MAX_BYTES = 255
/** The longest text for each placeholder. */
const LONGEST: Readonly<Record<Placeholder, string>> = {
  date: '2026-01-02',
  time: '030405',
  jobId: 'x'.repeat(128),
  runId: 'x'.repeat(128),
  format: 'jsonl',
}

/** The fault of a template, as the rest of a sentence, or undefined. `jobId`: of a stored job. */
export function findFilenameFault(template: string, jobId: string = LONGEST.jobId): string | undefined {
  if (template === '') return 'must not be empty'
  if (template.length > 1000) return `must make names of at most ${MAX_BYTES} bytes`
  if (/[/\\]/.test(template)) return 'must not hold a path separator'
  if (template.includes('..')) return "must not hold '..'"
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001F\u007F]/.test(template) || !template.isWellFormed()) return 'must not hold control characters'
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !isPlaceholder(name!))
  if (unknown !== undefined)
    return `holds the unknown placeholder '${unknown[0].slice(0, 40)}'; known are ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`
  if (/[{}]/.test(template.replaceAll(/\{[^{}]*\}/g, ''))) return 'holds a brace that belongs to no placeholder'
  if (/^[\s.]*$/.test(template)) return 'must not be made of dots and spaces alone'
  const longest = withCompressedEnding(fill(template, { ...LONGEST, jobId }), true)
  return hasMoreBytes(longest, MAX_BYTES) ? `must make names of at most ${MAX_BYTES} bytes` : undefined
}

/** The name that a template without fault makes. `.gz` is appended when the file is compressed and the name lacks it. */
export function exportFilename(template: string, parts: FilenameParts): string {
  const { date, time } = localTime(parts.at, parts.timezone)
  const { jobId, runId, format } = parts
  return withCompressedEnding(fill(template, { date, time, jobId, runId, format }), parts.isCompressed)
}

/** The names of a zip and of the feed in it. */
export function zipNames(name: string, format: ExportFormat): { readonly zip: string; readonly feed: string } {
  return name.endsWith(ZIP)
    ? { zip: name, feed: `${name.slice(0, -ZIP.length)}.${format}` }
    : { zip: name + ZIP, feed: name }
}

const ZIP = '.zip'

function fill(template: string, values: Readonly<Record<Placeholder, string>>): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole))
}

function withCompressedEnding(name: string, isCompressed: boolean): string {
  return isCompressed && !name.endsWith('.gz') ? `${name}.gz` : name
}

function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name)
}

/** `YYYY-MM-DD` and `HHmmss` on the clocks of the time zone. */
function localTime(at: Date, timezone: string): { date: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((item) => item.type === type)!.value
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}${part('minute')}${part('second')}`,
  }
}
