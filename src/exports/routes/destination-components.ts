// Schemas of `destinationConfig`: the settings of each built-in destination, or of a plugin. Contract 2 §6.
import type * as v from 'valibot'
import type { Component, Components } from '../../http/openapi/component.ts'
import { DESTINATION_EXAMPLES } from './export-examples.ts'
import { convertSchemas, type JsonSchema, refOf } from '../../http/openapi/json-schemas.ts'

interface DestinationShape {
  readonly type: string
  readonly config: v.GenericSchema
  /** `password`; `headers.*`: each value of the object `headers`. */
  readonly secrets: readonly string[]
  /** Whether unknown keys are refused. */
  readonly isExact: boolean
}

type Schemas = Readonly<Record<string, JsonSchema>>

/** `azure-blob` → `AzureBlobConfig` */
export function destinationComponentName(type: string): string {
  return `${type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Config`
}

export function destinationComponents(destinations: readonly DestinationShape[]): Components {
  return Object.fromEntries(
    destinations.map(({ type, config }): [string, Component] => [
      destinationComponentName(type),
      { schema: config, example: DESTINATION_EXAMPLES[type] },
    ]),
  )
}

/** Self-contained JSON Schemas of the settings, by type. */
export function destinationSchemas(destinations: readonly DestinationShape[]): Readonly<Record<string, JsonSchema>> {
  const components = destinationComponents(destinations)
  const { components: schemas } = convertSchemas(components, [])
  return Object.fromEntries(
    destinations.map((destination) => [
      destination.type,
      describeConfig(schemas[destinationComponentName(destination.type)]!, destination),
    ]),
  )
}

/** Marks secrets in the schemas, and adds the destinations as the possible settings of an export job. */
export function withDestinations(schemas: Schemas, destinations: readonly DestinationShape[]): Schemas {
  const configs = destinations.map((destination): [string, JsonSchema] => {
    const name = destinationComponentName(destination.type)
    return [name, describeConfig(schemas[name]!, destination)]
  })
  return {
    ...schemas,
    ...Object.fromEntries(configs),
    ExportJobInput: describeJob(schemas['ExportJobInput']!, destinations),
  }
}

function describeConfig(schema: JsonSchema, { type, secrets, isExact }: DestinationShape): JsonSchema {
  const exactly = isExact ? { additionalProperties: false } : {}
  return markSecrets({ ...schema, ...exactly, title: type }, secrets)
}

/** A job is the common part, and one pair of a type and its settings. */
function describeJob(job: JsonSchema, destinations: readonly DestinationShape[]): JsonSchema {
  const { additionalProperties: isOpen, ...described } = job
  const { destinationType: _type, destinationConfig: _config, ...properties } = job.properties as Schemas
  const required = job.required?.filter((name) => name in properties) ?? []
  const types = destinations.map(({ type }) => type)
  const builtIn = types.map((type) => pairOf(type, { const: type }, { $ref: refOf(destinationComponentName(type)) }))
  const plugin = pairOf(
    'plugin',
    { type: 'string', description: 'The type of a plugin.', not: { enum: types } },
    { type: 'object', description: 'The settings that the plugin defines.', additionalProperties: true },
  )
  // `additionalProperties` would not see the members that the pairs have.
  const exactly = isOpen === false ? { unevaluatedProperties: false } : {}
  return { ...described, ...exactly, properties, required, oneOf: [...builtIn, plugin] }
}

function pairOf(title: string, destinationType: JsonSchema, destinationConfig: JsonSchema): JsonSchema {
  return {
    type: 'object',
    title,
    properties: { destinationType, destinationConfig },
    required: ['destinationType', 'destinationConfig'],
  }
}

function markSecrets(config: JsonSchema, secrets: readonly string[]): JsonSchema {
  const marked = Object.entries(config.properties as Schemas).map(([key, field]): [string, JsonSchema] => {
    if (secrets.includes(key)) return [key, { ...field, format: 'password' }]
    if (!secrets.includes(`${key}.*`)) return [key, field]
    const values = field.additionalProperties as JsonSchema
    return [key, { ...field, additionalProperties: { ...values, format: 'password' } }]
  })
  return { ...config, properties: Object.fromEntries(marked) }
}
