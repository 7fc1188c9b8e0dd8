// A named shape in the OpenAPI document, with an example. Every body and answer of a route has one. Shapes are recognised as
// objects, so routes only declare shapes.
import type * as v from 'valibot'

export interface Component {
  readonly schema: v.GenericSchema
  readonly example: unknown
  /** Named examples, instead of the one example, of a body or answer. */
  readonly variants?: Readonly<Record<string, unknown>>
}

export type Components = Readonly<Record<string, Component>>

/** `example` is checked by the compiler here, and against the JSON Schema in tests. */
export function component<Schema extends v.GenericSchema>(schema: Schema, example: v.InferInput<Schema>): Component {
  return { schema, example }
}
