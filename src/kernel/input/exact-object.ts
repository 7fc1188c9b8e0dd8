// Objects that refuse unknown members and suggest the known one, where a misspelt member would do harm. Elsewhere unknown
// members are ignored. Contract 3 §9.1.
import * as v from 'valibot'
import { shorten } from '../errors.ts'
import { findNearest } from './nearest.ts'

/** Marks the issue of an unknown member: see `parse` in `validation.ts`. */
export const UNKNOWN_MEMBER = '"a known member"'

interface ExactObjectSchema<Entries extends v.ObjectEntries> extends v.ObjectSchema<Entries, undefined> {
  /** Members that the server sets and answers. They may be sent back, and are dropped. */
  readonly serverSet: readonly string[]
}

/**
 * Like `v.object`, but unknown members are refused before anything else is checked. So a misspelt required member gets a
 * suggestion, not the message that it is missing.
 */
export function exactObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
  serverSet: readonly string[] = [],
): ExactObjectSchema<Entries> {
  const lenient = v.object(entries)
  const known = [...Object.keys(entries), ...serverSet]
  const isKnown = new Set(known)
  return {
    ...lenient,
    serverSet,
    '~run'(dataset, config) {
      const input = dataset.value
      const isObject = typeof input === 'object' && input !== null
      const unknown = isObject ? Object.keys(input).find((key) => !isKnown.has(key)) : undefined
      if (unknown !== undefined)
        return { typed: false, value: input, issues: [unknownMember(unknown, input as object, known)] }
      return lenient['~run'](dataset, config)
    },
  }
}

/** Whether the schema is of `exactObject`. */
export function isExact<Schema extends object>(schema: Schema): schema is Schema & { serverSet: readonly string[] } {
  return 'serverSet' in schema
}

/**
 * The outcome for the first of `forms`. An unknown member may be a misspelling of what only another form has, and a form of which
 * the input has no member may not be meant.
 */
export function suggestOfForms<Result extends v.OutputDataset<unknown, v.BaseIssue<unknown>>>(
  result: Result,
  forms: readonly v.GenericSchema[],
): Result {
  const [issue, ...others] = result.issues ?? []
  const key = issue?.expected === UNKNOWN_MEMBER && issue.path?.length === 1 ? issue.path[0].key : undefined
  if (issue === undefined || typeof key !== 'string') return result
  const [first, ...further] = forms.map(membersOf)
  const known = [...new Set([...first!, ...further.flat()])]
  const isMeant = Object.keys(result.value as object).some((name) => first!.includes(name))
  if (known.includes(key) || (isMeant && findNearest(key, known) === undefined)) return result
  return { ...result, issues: [{ ...issue, message: suggest(key, known) }, ...others] }
}

function membersOf(schema: v.GenericSchema): string[] {
  const form = 'getter' in schema ? (schema as v.LazySchema<v.GenericSchema>).getter(undefined) : schema
  if (!isExact(form)) return []
  return [...Object.keys((form as unknown as ExactObjectSchema<v.ObjectEntries>).entries), ...form.serverSet]
}

/** The end of a message about an unknown member: the nearest known member, or the list of them. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  if (nearest !== undefined) return `: did you mean '${nearest}'?`
  return known.length === 0 ? ': none is known here' : `: known are ${known.join(', ')}`
}

function unknownMember(key: string, input: object, known: readonly string[]): v.ObjectIssue {
  return {
    kind: 'schema',
    type: 'object',
    input,
    expected: UNKNOWN_MEMBER,
    received: `"${shorten(key, 64)}"`,
    message: suggest(key, known),
    path: [{ type: 'object', origin: 'key', input: input as Record<string, unknown>, key, value: undefined }],
  }
}
