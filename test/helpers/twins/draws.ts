// Drawn requests of `random-operations.ts`, as `twins.ts` sends them: those of the administrator write other hidden values at each side,
// those of the limited caller are the same.
import { MOMENTS, TEXTS } from '../random-model.ts'
import type { Operation } from '../random-requests.ts'
import type { Side } from './twins.ts'

/** By schema. No rule depends on them, so that what succeeds at one side succeeds at the other. */
export const HIDDEN_DRAWN: Readonly<Record<string, readonly string[]>> = {
  'sch-a': ['note', 'price', 'weight', 'at', 'tags', 'marks', 'friends', 'extra'],
  'sch-b': ['size'],
}
const ALIASES = new Set(Object.values(HIDDEN_DRAWN).flat())
/** Members that have values by alias. */
const VALUE_MEMBERS = new Set(['values', 'patchValues', 'setValues'])

const after = <Item>(items: readonly Item[], item: Item): Item =>
  items.includes(item) ? items[(items.indexOf(item) + 1) % items.length]! : item

/** Returns another value for each value, which is empty for an empty value: gates may count these. */
const OTHERS: Readonly<Record<string, (value: never) => unknown>> = {
  note: (text: string) =>
    after(
      TEXTS.filter((candidate) => candidate.trim() !== ''),
      text,
    ),
  price: ({ amount, currency }: { amount: number; currency: string }) => ({
    amount: after([1, 2.5, 10, 99.9], amount),
    currency: after(['EUR', 'USD'], currency),
  }),
  weight: ({ amount, unit }: { amount: number; unit: string }) => ({ amount: after([1, 1000, 0.5], amount), unit }),
  at: (moment: string) => after(MOMENTS.slice(0, 2), moment),
  tags: (ids: string[]) => ids.map((id) => after(['new', 'sale', 'old'], id)),
  friends: (ids: string[]) => ids.toReversed(),
  extra: (value: unknown) => ({ other: value }),
  size: (id: string) => after(['s', 'm', 'l'], id),
}

/** The value of the second side. What is refused at the first stays as it is. */
function other(alias: string, value: unknown): unknown {
  const map = OTHERS[alias === 'marks' ? 'tags' : alias]
  if (map === undefined || value === null) return value
  const isDrawn = alias === 'extra' || Array.isArray(value) === ['tags', 'marks', 'friends'].includes(alias)
  const isObject = typeof value === 'object' && !Array.isArray(value)
  const isFitting = alias === 'extra' || isObject === ['price', 'weight'].includes(alias)
  return isDrawn && isFitting ? map(value as never) : value
}

type MapValues = (alias: string, scoped: unknown) => unknown

/** Maps values by alias wherever they stand in a body; undefined leaves an alias out. */
function mapValues(body: unknown, map: MapValues): unknown {
  if (Array.isArray(body)) return body.map((item) => mapValues(item, map))
  if (typeof body !== 'object' || body === null) return body
  const mapped = Object.entries(body).map(([name, member]) => {
    if (!VALUE_MEMBERS.has(name) || typeof member !== 'object' || member === null) return [name, mapValues(member, map)]
    const values = Object.entries(member as object).map(([alias, scoped]) => [
      alias,
      ALIASES.has(alias) ? map(alias, scoped) : scoped,
    ])
    return [name, Object.fromEntries(values.filter(([, scoped]) => scoped !== undefined))]
  })
  return Object.fromEntries(mapped) as unknown
}

/** A body, the lines of a file included. */
function mapBody(body: unknown, map: MapValues): unknown {
  if (typeof body !== 'string' || !body.startsWith('{')) return mapValues(body, map)
  return body
    .split('\n')
    .map((line) => JSON.stringify(mapValues(JSON.parse(line), map)))
    .join('\n')
}

const otherScoped: MapValues = (alias, scoped) =>
  Array.isArray(scoped)
    ? scoped.map((item: unknown) =>
        typeof item === 'object' && item !== null && 'value' in item
          ? { ...item, value: other(alias, item.value) }
          : item,
      )
    : scoped

/** The request of the administrator at a side. */
export function asAdmin(operation: Operation, path: string, body: unknown, side: Side): unknown {
  if (side === 0) return body
  const alias = /\/values\/(\w+)$/.exec(path)?.[1]
  if (operation.method !== 'PATCH' || alias === undefined) return mapBody(body, otherScoped)
  const { scopedValues } = body as { scopedValues: unknown }
  return ALIASES.has(alias) ? { scopedValues: otherScoped(alias, scopedValues) } : body
}

/** The body without values of hidden attributes, which the caller may not write. */
export function withoutHidden(body: unknown): unknown {
  return mapBody(body, () => undefined)
}
