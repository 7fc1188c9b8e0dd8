// The format of the console's addresses: place, ID, query; and the structured parts of a query.
import { PREFIX } from './prefix.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'

export type Query = Readonly<Record<string, string>>

export interface Address {
  /** The first part of the path; '' is home. */
  readonly place: string
  readonly id: string | null
  readonly query: Query
}

export const BASE = `${PREFIX}/console/`

/** Any other address means home. */
export function parseAddress(text: string): Address {
  const url = new URL(text, 'http://console')
  const [place = '', id = ''] = url.pathname.startsWith(BASE) ? url.pathname.slice(BASE.length).split('/') : []
  return { place: decode(place), id: id === '' ? null : decode(id), query: Object.fromEntries(url.searchParams) }
}

export function writeAddress({ place, id, query }: Partial<Address> & { readonly place: string }): string {
  const path = [place, ...(id === null || id === undefined ? [] : [id])].map(encodeURIComponent).join('/')
  const search = Object.entries(query ?? {}).map(([key, value]) => `${encodeURIComponent(key)}=${encodeValue(value)}`)
  return `${BASE}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`
}

/** `language:de,market:eu`. */
export function writeScope(scope: Scope): string {
  return Object.entries(scope)
    .map(([dimension, segment]) => `${dimension}:${segment}`)
    .join(',')
}

/** Skips a part that is not a pair of dimension and segment. */
export function parseScope(text: string, between = ','): Scope {
  const pairs = text.split(between).map((pair) => pair.split(':') as [string, string])
  return Object.fromEntries(pairs.filter(([dimension, segment]) => dimension !== '' && (segment ?? '') !== ''))
}

/** A column of a sheet: an attribute in a scope, or a field (`-state`). */
export interface Column {
  readonly name: string
  readonly scope: Scope
}

/** `sku,name@language:de@market:eu`. */
export function writeColumns(columns: readonly Column[]): string {
  return columns
    .map(({ name, scope }) => [name, ...Object.entries(scope).map(([dimension, id]) => `${dimension}:${id}`)].join('@'))
    .join(',')
}

export function parseColumns(text: string): Column[] {
  if (text === '') return []
  return text.split(',').map((column) => {
    const [name = '', ...scope] = column.split('@')
    return { name, scope: parseScope(scope.join('@'), '@') }
  })
}

/** Encodes a value; characters that are legal in a query stay readable. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll(/%(3A|2C|40|2F|3B)/g, (sign) => decodeURIComponent(sign))
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The records that a number on a screen counts. */
interface AskedRecords {
  readonly schemaId: string
  readonly stateId?: string
  /** Criteria of a search; all of them must be true. */
  readonly where?: readonly object[]
  readonly query?: Query
}

/** `/console/records?schema=…&state=…&where=[…]`. */
export function recordsAddress({ schemaId, stateId, where = [], query = {} }: AskedRecords): string {
  const state: Query = stateId === undefined ? {} : { state: stateId }
  const asked: Query = where.length === 0 ? {} : { where: JSON.stringify(where) }
  // The counts include variants, so the link does as well.
  return writeAddress({
    place: 'records',
    query: { schema: schemaId, variants: 'shown', ...state, ...asked, ...query },
  })
}
