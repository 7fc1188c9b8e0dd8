// Parses and checks the query parameters of a request.
import type * as v from 'valibot'
import { invalid, shorten } from '../../kernel/errors.ts'
import { isExact, suggest } from '../../kernel/input/exact-object.ts'
import { parse } from '../../kernel/input/parse.ts'
import type { ObjectSchema } from '../route.ts'

export interface QueryReader {
  /** The result for a request without parameters. The first such request sets it. */
  ofNone: unknown
  /** @throws VALIDATION_ERROR */
  readonly read: (search: string) => unknown
}

const NOTHING = Object.freeze({})

/**
 * Reads the parameters that `schema` names. Others are ignored, unless it is exact, but may not be malformed or doubled
 * either.
 */
export function queryReader(schema: ObjectSchema | undefined): QueryReader {
  if (schema === undefined) {
    const read = (search: string): object => {
      splitQuery(search)
      return NOTHING
    }
    return { ofNone: NOTHING, read }
  }
  const types = new Map(Object.entries(schema.entries).map(([name, entry]) => [name, baseType(entry)]))
  const isKnownOnly = isExact(schema)
  const read = (search: string): unknown => {
    if (search === '') return (reader.ofNone = Object.freeze(parse(schema, {})))
    const input: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    for (const [name, text] of splitQuery(search)) {
      if (isKnownOnly && !types.has(name))
        throw invalid(`Unknown query parameter '${shorten(name, 64)}'${suggest(name, [...types.keys()])}`)
      input[name] = convert(text, types.get(name))
    }
    return parse(schema, input)
  }
  const reader: QueryReader = { ofNone: undefined, read }
  return reader
}

/** @throws VALIDATION_ERROR for a parameter that is malformed or given twice */
function splitQuery(search: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const part of search.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals === -1 ? part : part.slice(0, equals))
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), name)
    if (parameters.has(name)) throw invalid(`The query parameter '${shorten(name, 64)}' is given twice`)
    parameters.set(name, value)
  }
  return parameters
}

function decode(text: string, name?: string): string {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch {
    const what = name === undefined ? 'name of a query parameter' : `query parameter '${shorten(name, 64)}'`
    throw invalid(`The ${what} is not valid percent-encoded UTF-8`)
  }
}

/** Converts text to the type. Text that does not fit stays text, and the schema's check reports it. */
function convert(text: string, type: string | undefined): unknown {
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** The type of the schema inside `optional` and the like. */
export function baseType(schema: v.GenericSchema): string {
  return 'wrapped' in schema ? baseType(schema.wrapped as v.GenericSchema) : schema.type
}
