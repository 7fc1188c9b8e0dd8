// Sets of records, as a search is made of them: data that says what is asked of an index, whichever engine keeps it.
import type { Bounds } from '../rules/operator.ts'

/** Numbers for what has an order, text for the rest, a digest for long text. */
export type IndexKey = string | number | Buffer

/**
 * Which keys of an attribute. `prefix`: of texts whose sorted part begins so; `filled`: all but the key of empty values. In the
 * order of keys, numbers come before texts.
 */
export type KeyRange =
  | { readonly kind: 'point'; readonly key: IndexKey }
  | { readonly kind: 'either'; readonly keys: readonly IndexKey[] }
  | ({ readonly kind: 'range' } & Bounds)
  | { readonly kind: 'prefix'; readonly text: string }
  | { readonly kind: 'filled' }
  | { readonly kind: 'any' }

/** Where values stand. */
export interface Place<Scopes = readonly number[]> {
  /** As the index numbers attributes: each belongs to one schema. */
  readonly attribute: number
  /** As the index numbers scopes: negative where the value is inherited. */
  readonly scopes: Scopes
}

export type TextPlace = Place<readonly number[] | 'any'>

/** Records that hold a key of the range in one of the places: one where a schema is searched, else one for each schema. */
export interface KeySet {
  readonly kind: 'keys'
  readonly places: readonly Place[]
  readonly range: KeyRange
  /** Whether a record can hold several of the keys in one scope. */
  readonly isMany: boolean
  readonly isExact: boolean
}

/** A text (folded as `foldForIndex` does) that one of a record's texts contains. */
export interface Needle {
  readonly text: string
  /** Undefined: any text. */
  readonly of: readonly TextPlace[] | undefined
}

/** Records that contain all of the needles. */
export interface TextSet {
  readonly kind: 'text'
  readonly needles: readonly [Needle, ...Needle[]]
  readonly isExact: boolean
}

/** All records of some schemas. */
export interface SchemaSet {
  readonly kind: 'schemas'
  readonly schemaIds: readonly string[]
  readonly isExact: boolean
}

export type Leaf = KeySet | TextSet | SchemaSet

/** `isExact`: it is the set itself; otherwise it contains the set, and its members must be judged by the plain predicate. */
export type RecordSet =
  | Leaf
  | { readonly kind: 'nothing'; readonly isExact: true }
  | { readonly kind: 'and' | 'or'; readonly sets: readonly RecordSet[]; readonly isExact: boolean }
  | NotSet

/** Records of the schemas that are not in the set. */
export interface NotSet {
  readonly kind: 'not'
  readonly set: RecordSet
  readonly schemaIds: readonly string[]
  readonly isExact: true
}

export const NOTHING: RecordSet = { kind: 'nothing', isExact: true }

/** Whether any text is looked for. */
export function asksForText(set: RecordSet): boolean {
  if (set.kind === 'and' || set.kind === 'or') return set.sets.some(asksForText)
  return set.kind === 'not' ? asksForText(set.set) : set.kind === 'text'
}

export function allOf(schemaIds: readonly string[], isExact = true): RecordSet {
  return schemaIds.length === 0 ? NOTHING : { kind: 'schemas', schemaIds, isExact }
}

export function inexact(set: RecordSet): RecordSet {
  return set.kind === 'nothing' || set.kind === 'not'
    ? { kind: 'and', sets: [set], isExact: false }
    : { ...set, isExact: false }
}

/** The records of the schemas that are not in the set: all of them, to be judged, where it is not exact. */
export function complement(set: RecordSet, schemaIds: readonly string[]): RecordSet {
  if (set.kind === 'nothing' || schemaIds.length === 0) return allOf(schemaIds)
  return set.isExact ? { kind: 'not', set, schemaIds, isExact: true } : allOf(schemaIds, false)
}

/** `sets` are one at least. */
export function intersect(sets: readonly RecordSet[]): RecordSet {
  if (sets.length === 1) return sets[0]!
  if (sets.some((set) => set.kind === 'nothing')) return NOTHING
  return { kind: 'and', sets, isExact: sets.every((set) => set.isExact) }
}

export function unite(sets: readonly RecordSet[]): RecordSet {
  const some = sets.filter((set) => set.kind !== 'nothing')
  if (some.length === 0) return NOTHING
  if (some.length === 1) return some[0]!
  return { kind: 'or', sets: some, isExact: some.every((set) => set.isExact) }
}

/** Whether each record comes once. */
export function isDistinct(set: Leaf): boolean {
  return set.kind !== 'keys' || (set.places.every(({ scopes }) => scopes.length === 1) && !set.isMany)
}
