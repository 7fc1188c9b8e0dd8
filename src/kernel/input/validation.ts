// Shapes of input: common field types, lists and choices. Contract 1 §7.
import * as v from 'valibot'
import { countCharacters } from '../text.ts'
import { suggestOfForms } from './exact-object.ts'

export const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/
const ALIAS_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

export const Id = v.pipe(
  v.string('must be a string'),
  v.regex(ID_PATTERN, 'must be an ID: 1 to 128 letters, digits, dots, underscores, tildes or hyphens'),
)
/** An ID that is looked up. */
export const Reference = v.string('must be a string')
export const Password = v.pipe(
  v.string('must be a string'),
  v.check((text) => countCharacters(text) >= 8, 'must be at least 8 characters long'),
  v.check((text) => countCharacters(text) <= 200, 'must be at most 200 characters long'),
  v.metadata({ minLength: 8, maxLength: 200 }),
)
/** The ID of a new resource. */
export const NewId = v.pipe(Id, v.description('For a new resource. Default: the server makes an ID.'))
/** Words that stand in the place of a record's ID in paths and filters. Contract 3 §9.12. */
const RESERVED_RECORD_IDS = ['none', 'batch', 'import', 'validate', 'deleted', 'suggest']
export const RecordId = v.pipe(
  Id,
  v.check(
    (id) => !RESERVED_RECORD_IDS.includes(id),
    `must not be one of ${RESERVED_RECORD_IDS.join(', ')}: these words mean something else in paths and filters`,
  ),
  v.metadata({ not: { enum: RESERVED_RECORD_IDS } }),
)
export const NewRecordId = v.pipe(RecordId, v.description('For a new resource. Default: the server makes an ID.'))
export const Alias = v.pipe(
  v.string('must be a string'),
  v.regex(ALIAS_PATTERN, 'must be an alias: a letter, then up to 63 letters, digits, underscores or hyphens'),
)
/** For JSON Schema; no converter can read the check beside it. */
export const NOT_BLANK = { pattern: '\\S' }

/** Characters of a human-readable name. */
export const MAX_NAME = 200
export const Name = v.pipe(
  v.string('must be a string'),
  v.check((text) => text.trim() !== '', 'must not be empty'),
  v.metadata(NOT_BLANK),
  v.maxLength(MAX_NAME, `must be at most ${MAX_NAME} characters long`),
)
export const Description = v.pipe(
  v.string('must be a string'),
  v.maxLength(10_000, 'must be at most 10000 characters long'),
)
export const Flag = v.boolean('must be true or false')
/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  v.pipe(
    v.number('must be a whole number'),
    v.integer('must be a whole number'),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be at most ${max}`),
  )
export const SortOrder = v.pipe(v.number('must be a number'), v.finite('must be a finite number'))

/** An array of which no item is looked at where `isOver` refuses the array. A check behind it words the fault. */
export function boundedArray<Item extends v.GenericSchema>(
  array: v.ArraySchema<Item, string>,
  isOver: (items: readonly unknown[]) => boolean,
) {
  const bounded: typeof array & { readonly isOver: typeof isOver } = {
    ...array,
    isOver,
    '~run': (dataset, config) =>
      Array.isArray(dataset.value) && isOver(dataset.value)
        ? { typed: true, value: dataset.value as v.InferOutput<typeof array>, issues: undefined }
        : array['~run'](dataset, config),
  }
  return bounded
}

/** A list of at most `max` items: where there are more, none of them is looked at. */
export function listOf<Item extends v.GenericSchema>(item: Item, max: number) {
  const bounded = boundedArray(v.array(item, 'must be an array'), ({ length }) => length > max)
  return v.pipe(bounded, v.maxLength(max, `must have at most ${max} items`))
}

/** One of several forms. The input shows which form is meant, and faults are reported for that form. */
export function choiceOf<const Options extends [v.GenericSchema, v.GenericSchema, ...v.GenericSchema[]]>(
  options: Options,
  choose: (input: unknown) => v.GenericSchema,
) {
  const union = v.union(options)
  const chosen: typeof union & { readonly choose: typeof choose } = {
    ...union,
    choose,
    '~run': (dataset, config) => {
      const form = choose(dataset.value)
      return suggestOfForms(form['~run'](dataset, config), [form, ...options])
    },
  }
  return chosen
}

/** The first item of `items` that an earlier one equals, or undefined. */
export function firstDuplicate(items: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return items.find((item) => seen.size === seen.add(item).size)
}

/** Characters. */
const MAX_LENGTH = 200

/** Segments need no escapes, in addresses and in the HTML of pages; none is `.` or `..`. */
export function isBasePath(text: string): boolean {
  return text.length <= MAX_LENGTH && /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/.test(text)
}

export const textUpTo = (max: number) =>
  v.pipe(v.string('must be a string'), v.maxLength(max, `must be at most ${max} characters long`))

const MAX_MAPPED = 1000

/** Maps texts to other texts. */
export const TextMapInput = v.pipe(
  v.custom<Record<string, string>>(
    (input) =>
      typeof input === 'object' &&
      input !== null &&
      !Array.isArray(input) &&
      Object.keys(input).length <= MAX_MAPPED &&
      Object.values(input).every((mapped) => typeof mapped === 'string' && mapped.length <= 1000),
    `must be an object of text to text, with at most ${MAX_MAPPED} entries of at most 1000 characters`,
  ),
  v.metadata({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_MAPPED }),
)

export const Timestamp = v.pipe(v.string(), v.isoTimestamp())

/** The type of a value that fits the shape: deeply read-only, like the types of the rules. */
export type OutputOf<Shape extends v.GenericSchema> = DeepReadonly<v.InferOutput<Shape>>

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value
