// Converts the shapes of routes to JSON Schema (2020-12, the dialect of OpenAPI 3.1). Home of @valibot/to-json-schema.
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { isExact } from '../../kernel/input/exact-object.ts'
import type { Components } from './component.ts'

export type { JsonSchema }

/** Says more than JSON Schema can, or the same as a `v.metadata` beside it. */
const UNSAID_ACTIONS = ['check', 'check_async', 'finite', 'partial_check', 'raw_check']

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'throw',
  ignoreActions: UNSAID_ACTIONS,
  overrideRef: ({ referenceId }) => refOf(referenceId),
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    if (jsonSchema.required?.length === 0) delete jsonSchema.required
    if (valibotSchema.type === 'record') delete jsonSchema.propertyNames
    if (isExact(valibotSchema)) return asExact(jsonSchema, valibotSchema.serverSet)
    // A `v.metadata` behind a custom check describes it.
    return valibotSchema.type === 'custom' ? jsonSchema : undefined
  },
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type === 'safe_integer') return withoutSafeBounds(jsonSchema)
    // Patterns of JSON Schema are read with the flag `u` in any case.
    return valibotAction.type === 'regex' ? jsonSchema : undefined
  },
}

export interface JsonSchemas {
  /** Components by name; `nameAs` and `ofContent` add some. */
  readonly components: Readonly<Record<string, JsonSchema>>
  /** The JSON Schema of a converted shape: a $ref if it is a component. */
  of(schema: v.GenericSchema): JsonSchema
  /** The same for a whole body or answer: a list of `Thing` is a $ref to `ThingList`. */
  ofContent(schema: v.GenericSchema): JsonSchema
  /** A $ref to the schema, which is a component from now on. @throws Error where the name is taken by another */
  nameAs(name: string, schema: JsonSchema): JsonSchema
}

/** Converts all in one go. @throws Error for a schema that JSON Schema cannot say */
export function convertSchemas(components: Components, schemas: Iterable<v.GenericSchema>): JsonSchemas {
  const keys = new Map([...schemas].map((schema, index) => [schema, String(index)]))
  const holder = v.object(Object.fromEntries([...keys].map(([schema, key]) => [key, schema])))
  const definitions = Object.fromEntries(Object.entries(components).map(([name, { schema }]) => [name, schema]))
  const { $defs = {}, properties = {} } = toJsonSchema(holder, { ...CONVERSION, definitions })
  const converted = $defs as Readonly<Record<string, JsonSchema>>
  const named = Object.fromEntries(
    Object.entries(converted).map(([name, schema]) => [name, finish(name, schema, converted, components)]),
  )
  const of = (schema: v.GenericSchema): JsonSchema => {
    const key = keys.get(schema)
    if (key === undefined) throw new Error('The schema was not converted')
    return properties[key] as JsonSchema
  }
  const nameAs = (name: string, schema: JsonSchema): JsonSchema => {
    const present = named[name]
    if (present !== undefined && JSON.stringify(present) !== JSON.stringify(schema))
      throw new Error(`The document has two schemas called ${name}`)
    named[name] = schema
    return { $ref: refOf(name) }
  }
  return {
    components: named,
    of,
    ofContent: (schema) => {
      const { default: _default, ...content } = of(schema)
      const { $ref } = (content.items ?? {}) as JsonSchema
      if ($ref === undefined) return content
      const item = nameOfRef($ref)
      return nameAs(`${item}List`, { ...content, examples: [[components[item]?.example] as never] })
    },
    nameAs,
  }
}

function finish(
  name: string,
  schema: JsonSchema,
  all: Readonly<Record<string, JsonSchema>>,
  components: Components,
): JsonSchema {
  const described = withDefaultsInWords(withDescriptions(schema, all[name.replace(/Input$/, '')]))
  return { ...described, examples: [components[name]?.example as never] }
}

export function refOf(componentName: string): string {
  return `#/components/schemas/${componentName}`
}

/** `#/components/schemas/Record` → `Record` */
export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** `ThingInput` takes its field descriptions from `Thing`. */
function withDescriptions(input: JsonSchema, output: JsonSchema | undefined): JsonSchema {
  if (input === output || output === undefined || input.properties === undefined) return input
  const described = Object.entries(input.properties as Record<string, JsonSchema>).map(([key, field]) => {
    const { description } = (output.properties?.[key] ?? {}) as JsonSchema
    return [key, description === undefined || field.description !== undefined ? field : { ...field, description }]
  })
  return { ...input, properties: Object.fromEntries(described) as Record<string, JsonSchema> }
}

/** Members that a client may send back say so. */
function asExact(schema: JsonSchema, serverSet: readonly string[]): JsonSchema {
  const ignored = { readOnly: true, description: 'Set by the server. Ignored in requests.' }
  const properties = { ...schema.properties, ...Object.fromEntries(serverSet.map((name) => [name, ignored])) }
  return { ...schema, properties, additionalProperties: false }
}

function withoutSafeBounds({ minimum, maximum, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  }
}

/**
 * The schema and all inside it, each `default` at the end of its description. A generator that reads the keyword makes the
 * member required (openapi-typescript does): right of an answer, but wrong of a body.
 */
function withDefaultsInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  const said = { ...schema, ...insides(schema) }
  if (value === undefined) return said
  const words = `Default: \`${JSON.stringify(value)}\`.`
  const { description } = schema
  return { ...said, description: description === undefined ? words : `${description} ${words}` }
}

function insides({ properties, items, additionalProperties, anyOf, allOf, oneOf }: JsonSchema): JsonSchema {
  return {
    ...(properties === undefined ? {} : { properties: ofMembers(properties as Record<string, JsonSchema>) }),
    ...(isSchema(items) ? { items: withDefaultsInWords(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: withDefaultsInWords(additionalProperties) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonSchema[]).map(withDefaultsInWords) }),
    ...(allOf === undefined ? {} : { allOf: (allOf as JsonSchema[]).map(withDefaultsInWords) }),
    ...(oneOf === undefined ? {} : { oneOf: (oneOf as JsonSchema[]).map(withDefaultsInWords) }),
  }
}

function ofMembers(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withDefaultsInWords(field)]))
}

function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}
