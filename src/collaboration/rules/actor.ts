// Who did something: a user, or an API key. Contract 5 §3.

/** A user and an API key may have the same ID. */
export interface Actor {
  readonly id: string
  readonly kind: 'user' | 'apiKey'
}

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
