// Sets of records that a search consists of. The sets are plain data, independent of the engine.
import type { Bounds } from '../rules/operator.ts'

/** Numbers for ordered values, text for other values, and a digest for long text. */
export type IndexKey = string | number | Buffer

/**
 * A range of an attribute's keys. `prefix`: texts whose sorted part begins with the prefix; `filled`: all keys except
 * the key of empty values. Numbers sort before texts.
 */
export type KeyRange =
  | { readonly kind: 'point'; readonly key: IndexKey }
  | { readonly kind: 'either'; readonly keys: readonly IndexKey[] }
  | ({ readonly kind: 'range' } & Bounds)
  | { readonly kind: 'prefix'; readonly text: string }
  | { readonly kind: 'filled' }
  | { readonly kind: 'any' }

/** A place of values in the index. */
export interface Place<Scopes = readonly number[]> {
  /** Number of the attribute in the index; each attribute belongs to one schema. */
  readonly attribute: number
  /** Numbers of scopes in the index; a negative number means that the value is inherited. */
  readonly scopes: Scopes
}

export type TextPlace = Place<readonly number[] | 'any'>

/** Records with a key of the range in one of the places. Each schema searched has its own place. */
export interface KeySet {
  readonly kind: 'keys'
  readonly places: readonly Place[]
  readonly range: KeyRange
  /** True: a record can have several of the keys in one scope. */
  readonly isMany: boolean
  readonly isExact: boolean
}

/** A text, folded by `foldForIndex`, that one of a record's texts must contain. */
export interface Needle {
  readonly text: string
  /** Undefined: all texts. */
  readonly of: readonly TextPlace[] | undefined
}

/** Records that contain all needles. */
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

/**
 * `isExact`: the set is the result; otherwise the set contains the result, and the plain predicate must judge its
 * members.
 */
export type RecordSet =
  | Leaf
  | { readonly kind: 'nothing'; readonly isExact: true }
  | { readonly kind: 'and' | 'or'; readonly sets: readonly RecordSet[]; readonly isExact: boolean }
  | NotSet

/** Records of the schemas outside of the set. */
export interface NotSet {
  readonly kind: 'not'
  readonly set: RecordSet
  readonly schemaIds: readonly string[]
  readonly isExact: true
}

export const NOTHING: RecordSet = { kind: 'nothing', isExact: true }

/** Whether the set searches text. */
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

/**
 * Returns the records of the schemas outside of the set. If the set is not exact, returns all records, which must be
 * judged.
 */
export function complement(set: RecordSet, schemaIds: readonly string[]): RecordSet {
  if (set.kind === 'nothing' || schemaIds.length === 0) return allOf(schemaIds)
  return set.isExact ? { kind: 'not', set, schemaIds, isExact: true } : allOf(schemaIds, false)
}

/** @param sets at least one */
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

/** True if the index contains the records of the set in their order, each once. */
export function isInOrder(set: RecordSet): set is KeySet {
  return (
    set.kind === 'keys' && set.range.kind === 'point' && set.places.length === 1 && set.places[0]!.scopes.length === 1
  )
}

/** True if each record occurs once. */
export function isDistinct(set: Leaf): boolean {
  return set.kind !== 'keys' || (set.places.every(({ scopes }) => scopes.length === 1) && !set.isMany)
}
