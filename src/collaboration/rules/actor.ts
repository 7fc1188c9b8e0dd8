// Who did something: a user, or an API key. Contract 5 §3.
import * as v from 'valibot'
import type { OutputOf } from '../../kernel/input/validation.ts'

export const ActorShape = v.object({
  id: v.string(),
  kind: v.picklist(['user', 'apiKey']),
  name: v.pipe(v.nullable(v.string()), v.description('null: the user or API key is gone.')),
})

/** An actor with the present name. */
export type NamedActor = OutputOf<typeof ActorShape>

/** A user and an API key may have the same ID. */
export type Actor = Omit<NamedActor, 'name'>

export function asActor({ id, kind }: Actor): Actor {
  return { id, kind }
}

export function isActor(one: Actor, other: Actor): boolean {
  return one.id === other.id && one.kind === other.kind
}

/** One text for an actor. */
export function actorKey({ kind, id }: Actor): string {
  return `${kind} ${id}`
}
