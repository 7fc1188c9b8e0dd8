// Parts of values that searches ask for as if they were values of attributes: `content.size`. No alias has a full stop.
import type { ValuePart } from '../datatypes/data-type.ts'
import { own } from '../../kernel/own.ts'
import type { ScopedValue } from '../scopes/scope.ts'

type Parts = Map<string, readonly ScopedValue[]>

/** By the scoped values that they are parts of: code compares scoped values by identity. */
const known = new WeakMap<readonly ScopedValue[], Parts>()

export function aliasOfPart(alias: string, part: ValuePart): string {
  return `${alias}.${part}`
}

/** The alias of the attribute that the alias of a part belongs to. */
export function aliasOfWhole(alias: string): string {
  const at = alias.indexOf('.')
  return at === -1 ? alias : alias.slice(0, at)
}

/** The part of each value that has it. */
export function partsOfValues(scoped: readonly ScopedValue[], part: string): readonly ScopedValue[] {
  let parts = known.get(scoped)
  if (parts === undefined) known.set(scoped, (parts = new Map()))
  let found = parts.get(part)
  if (found === undefined) {
    found = scoped.flatMap(({ scope, value }) => {
      const member = own(value as Record<string, unknown> | null, part) ?? undefined
      return member === undefined ? [] : [{ scope, value: member }]
    })
    parts.set(part, found)
  }
  return found
}
