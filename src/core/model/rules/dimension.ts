// Dimensions (language, market, …) and their segments. Contract 2 §3.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { keepNames, type Named, NamesInput } from './names.ts'
import { firstDuplicate, Id, listOf, Name, NewId } from '../../../kernel/input/validation.ts'

const Segment = v.object({ id: Id, name: v.optional(Name), names: v.optional(NamesInput) })

export const DimensionInput = v.object({ id: v.optional(NewId), name: Name, segments: listOf(Segment, 1000) })

export interface Dimension {
  readonly id: string
  readonly name: string
  readonly segments: readonly (Named & { readonly id: string })[]
}

/** Returns the dimension that `input` describes. @throws VALIDATION_ERROR for a segment ID that occurs twice */
export function defineDimension(id: string, input: v.InferOutput<typeof DimensionInput>): Dimension {
  const twice = firstDuplicate(input.segments.map((segment) => segment.id))
  if (twice !== undefined) throw invalid(`segments: the ID '${twice}' occurs twice`)
  return {
    id,
    name: input.name,
    segments: input.segments.map((segment) => ({
      id: segment.id,
      name: segment.name ?? segment.id,
      ...keepNames(segment.names),
    })),
  }
}

/** Returns the IDs of the segments that `after` lacks. */
export function removedSegments(before: Dimension, after: Dimension): string[] {
  const kept = new Set(after.segments.map((segment) => segment.id))
  return before.segments.map((segment) => segment.id).filter((id) => !kept.has(id))
}
