// The one way from input to a checked value, or to VALIDATION_ERROR. Contract 1 §7.
// Valid input is read without the lists of faults and the copies that valibot makes, because imports read millions of records.
// Faulty input is read again by valibot, which words the fault.
import * as v from 'valibot'
import { invalid, shorten } from '../errors.ts'
import { LostNumber } from '../json/lost-numbers.ts'
import { UNKNOWN_MEMBER } from './exact-object.ts'

/**
 * The checked `input` with defaults. Unknown fields are dropped; an `exactObject` refuses them.
 * @throws VALIDATION_ERROR naming the first invalid field, with the prefix `at` (`body`, `query`, …) if it is not in the
 * body
 */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown, at = ''): v.InferOutput<Schema> {
  const accepted = acceptanceOf(schema)(input)
  if (accepted !== REFUSED) return accepted
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  throw invalid(describeIssue(result.issues[0], at))
}

function describeIssue(issue: v.BaseIssue<unknown>, at: string): string {
  const path = (issue.path ?? []).reduce((text, item) => joinPath(text, item.key), at)
  // The alternative that shares a member with the input is meant.
  const inner = issue.type === 'union' ? issue.issues?.find((one) => one.path !== undefined) : undefined
  if (inner !== undefined) return describeIssue(inner, path)
  if (issue.expected === UNKNOWN_MEMBER) return `Unknown member '${path}'${issue.message}`
  const isMissing = issue.input === undefined && issue.received === 'undefined'
  const lost = issue.expected === 'number' && issue.input instanceof LostNumber ? issue.input : undefined
  const isNoObject = issue.type === 'object' && issue.expected === 'Object'
  const problem = isMissing ? 'is required' : isNoObject ? 'must be an object' : (lost?.problem ?? issue.message)
  return path === '' ? `The body ${problem}` : `${path} ${problem}`
}

function joinPath(path: string, key: unknown): string {
  if (typeof key === 'number') return `${path}[${key}]`
  const name = shorten(String(key), 64)
  return path === '' ? name : `${path}.${name}`
}

/** The input is faulty. */
export const REFUSED = Symbol('refused')

/** The checked input with defaults, or `REFUSED`. */
type Accept = (input: unknown) => unknown

const CONFIG = { abortEarly: true }

type Shape<Form extends keyof Forms = keyof Forms> = Forms[Form] & v.GenericSchema
interface Forms {
  array: v.ArraySchema<v.GenericSchema, undefined> & { readonly isOver?: (items: readonly unknown[]) => boolean }
  boolean: v.BooleanSchema<undefined>
  custom: v.CustomSchema<unknown, undefined>
  literal: v.LiteralSchema<v.Literal, undefined>
  nullable: v.NullableSchema<v.GenericSchema, undefined>
  number: v.NumberSchema<undefined>
  object: v.ObjectSchema<v.ObjectEntries, undefined> & { readonly serverSet?: readonly string[] }
  optional: v.OptionalSchema<v.GenericSchema, undefined>
  picklist: v.PicklistSchema<v.PicklistOptions, undefined>
  string: v.StringSchema<undefined>
  union: v.UnionSchema<v.GenericSchema[], undefined> & { readonly choose?: (input: unknown) => v.GenericSchema }
  unknown: v.UnknownSchema
}

const FORMS: { readonly [Form in keyof Forms]: (shape: Forms[Form]) => Accept } = {
  array: acceptArray,
  boolean: () => (input) => (typeof input === 'boolean' ? input : REFUSED),
  custom:
    ({ check }) =>
    (input) =>
      check(input) ? input : REFUSED,
  literal:
    ({ literal }) =>
    (input) =>
      input === literal ? input : REFUSED,
  nullable: ({ wrapped }) => {
    const accept = acceptanceOf(wrapped)
    return (input) => (input === null ? null : accept(input))
  },
  number: () => (input) => (typeof input === 'number' && !Number.isNaN(input) ? input : REFUSED),
  object: acceptObject,
  optional: (shape) => {
    const accept = acceptanceOf(shape.wrapped)
    return (input) => {
      const value = input === undefined ? v.getDefault(shape) : input
      return value === undefined ? undefined : accept(value)
    }
  },
  picklist: ({ options }) => {
    const allowed = new Set<unknown>(options)
    return (input) => (allowed.has(input) ? input : REFUSED)
  },
  string: () => (input) => (typeof input === 'string' ? input : REFUSED),
  union: acceptUnion,
  unknown: () => (input) => input,
}

const acceptances = new WeakMap<v.GenericSchema, Accept>()

/** How input of the shape `schema` is accepted. For each shape of the interface, the outcome is that of valibot. */
export function acceptanceOf(schema: v.GenericSchema): Accept {
  const known = acceptances.get(schema)
  if (known !== undefined) return known
  const made = 'pipe' in schema ? acceptPipe(schema.pipe as PipeItem[]) : acceptForm(schema)
  acceptances.set(schema, made)
  return made
}

function acceptForm(schema: v.GenericSchema): Accept {
  const isKnown = Object.hasOwn(FORMS, schema.type) && !('fallback' in schema)
  const hasOddDefault = schema.type !== 'optional' && v.getDefault(schema) !== undefined
  const form = isKnown && !hasOddDefault ? FORMS[schema.type as keyof Forms] : undefined
  return form === undefined ? acceptByValibot(schema) : (form as (shape: Shape) => Accept)(schema as unknown as Shape)
}

type PipeItem = v.GenericSchema | v.GenericPipeItem

function acceptPipe(items: readonly PipeItem[]): Accept {
  const steps = items
    .filter(({ kind }) => kind !== 'metadata')
    .map((item) => (item.kind === 'schema' ? acceptanceOf(item as v.GenericSchema) : acceptAction(item)))
  return (input) => {
    let value = input
    for (const step of steps) {
      value = step(value)
      if (value === REFUSED) break
    }
    return value
  }
}

type Length = { readonly length: number }

/** The condition of each kind of check. `asked`: the length, limit, pattern or function that the check was made with. */
const DEMANDS: Readonly<Record<string, (value: never, asked: never) => boolean>> = {
  check: (value: unknown, asked: (value: unknown) => boolean) => asked(value),
  integer: (value: number) => Number.isInteger(value),
  max_length: ({ length }: Length, asked: number) => length <= asked,
  max_value: (value: number, asked: number) => value <= asked,
  min_length: ({ length }: Length, asked: number) => length >= asked,
  min_value: (value: number, asked: number) => value >= asked,
  regex: (value: string, asked: RegExp) => asked.test(value),
}

function acceptAction(action: PipeItem): Accept {
  const demand = Object.hasOwn(DEMANDS, action.type) ? DEMANDS[action.type] : undefined
  if (demand === undefined) return acceptByValibot(action)
  const { requirement } = action as unknown as { readonly requirement: never }
  return (value) => (demand(value as never, requirement) ? value : REFUSED)
}

function acceptByValibot(item: PipeItem): Accept {
  const { '~run': run } = item as v.GenericSchema
  return (value) => {
    const read = run.call(item, { typed: true, value } as never, CONFIG)
    return read.issues === undefined ? read.value : REFUSED
  }
}

function acceptArray({ item, isOver }: Forms['array']): Accept {
  const accept = acceptanceOf(item)
  return (input) => {
    if (!Array.isArray(input) || isOver?.(input) === true) return REFUSED
    const output: unknown[] = []
    for (const value of input) {
      const read = accept(value)
      if (read === REFUSED) return REFUSED
      output.push(read)
    }
    return output
  }
}

function acceptUnion({ options, choose }: Forms['union']): Accept {
  if (choose !== undefined) return (input) => acceptanceOf(choose(input))(input)
  const accepts = options.map(acceptanceOf)
  return (input) => {
    for (const accept of accepts) {
      const read = accept(input)
      if (read !== REFUSED) return read
    }
    return REFUSED
  }
}

function acceptObject({ entries, serverSet }: Forms['object']): Accept {
  const members = Object.entries(entries).map(([name, shape]) => ({ name, shape, accept: acceptanceOf(shape) }))
  const known = serverSet && new Set([...Object.keys(entries), ...serverSet])
  return (input) => {
    if (typeof input !== 'object' || input === null) return REFUSED
    if (known !== undefined) for (const key of Object.keys(input)) if (!known.has(key)) return REFUSED
    const output: Record<string, unknown> = {}
    for (const { name, shape, accept } of members) {
      const isThere = name in input
      if (!isThere && !MAY_LACK.has(shape.type)) return REFUSED
      const value = isThere ? (input as Record<string, unknown>)[name] : v.getDefault(shape)
      if (!isThere && value === undefined) continue
      const read = accept(value)
      if (read === REFUSED) return REFUSED
      output[name] = read
    }
    return output
  }
}

/** Members of these shapes may be absent. */
const MAY_LACK = new Set(['exact_optional', 'nullish', 'optional'])
