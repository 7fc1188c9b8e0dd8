// A shape with a name in the OpenAPI document, and an example of it. Every shape that a route takes or answers has one:
// what is named is found by the object that it is, so that routes declare shapes and nothing else.
import type * as v from 'valibot'

export interface Component {
  readonly schema: v.GenericSchema
  readonly example: unknown
  /** In place of the example, where it is a body or an answer: name → another. */
  readonly variants?: Readonly<Record<string, unknown>>
}

export type Components = Readonly<Record<string, Component>>

/** `example` is checked by the compiler here, and against the JSON Schema in tests. */
export function component<Schema extends v.GenericSchema>(schema: Schema, example: v.InferInput<Schema>): Component {
  return { schema, example }
}
