// The cells of one record in the search index, as text: `[[attribute,scope,key],…]`. Searches scan the text without
// parsing it, so a key contains no bracket.
import { isWithin } from '../rules/comparisons.ts'
import { EMPTY_KEY } from './index-rows.ts'
import type { IndexKey, KeyRange, KeySet, Place } from './sets.ts'

export type Cell = readonly [attribute: number, scope: number, key: IndexKey]

export function writeCells(cells: readonly Cell[]): string {
  return cells.some(([, , key]) => !isPlain(key))
    ? `[${cells.map(([attribute, scope, key]) => `[${attribute},${scope},${writeKey(key)}]`).join(',')}]`
    : JSON.stringify(cells)
}

/** True if JSON already gives the key a unique spelling. */
function isPlain(key: IndexKey): boolean {
  return typeof key === 'number' || (typeof key === 'string' && !key.includes('[') && !key.includes(']'))
}

export function readCells(text: string): Cell[] {
  return (JSON.parse(text) as [number, number, IndexKey | { digest: string }][]).map(([attribute, scope, key]) => [
    attribute,
    scope,
    typeof key === 'object' && 'digest' in key ? Buffer.from(key.digest, 'hex') : key,
  ])
}

/** Writes each key in one way, so that texts can be compared. */
function writeKey(key: IndexKey): string {
  if (isPlain(key)) return JSON.stringify(key)
  if (typeof key === 'string')
    return JSON.stringify(key)
      .replaceAll('[', String.raw`\u005b`)
      .replaceAll(']', String.raw`\u005d`)
  return `{"digest":"${(key as Buffer).toString('hex')}"}`
}

/** Returns the record's key in a place; undefined: the record has none. */
export function keyIn(cells: string, attribute: number, scope: number): IndexKey | undefined {
  const begin = `[${attribute},${scope},`
  const at = cells.indexOf(begin)
  if (at === -1) return undefined
  const from = at + begin.length
  return readKey(cells.slice(from, cells.indexOf(']', from)))
}

function readKey(written: string): IndexKey {
  const key = JSON.parse(written) as IndexKey | { digest: string }
  return typeof key === 'object' && 'digest' in key ? Buffer.from(key.digest, 'hex') : key
}

/** Most keys whose labels are cached. */
const MAX_KNOWN = 1000

/** Returns a function that reads the distinct labels of filled keys in some scopes from the cells of a record. */
export function labelsOfCells<Label>(
  { attribute, scopes }: Place,
  label: (key: IndexKey) => Label,
): (cells: string) => readonly Label[] {
  const begins = scopes.map((scope) => `[${attribute},${scope},`)
  const known = new Map<string, readonly Label[]>()
  const labelsOf = (written: string): readonly Label[] => {
    const before = known.get(written)
    if (before !== undefined) return before
    const key = readKey(written)
    const labels = key === EMPTY_KEY ? [] : [label(key)]
    if (known.size < MAX_KNOWN) known.set(written, labels)
    return labels
  }
  return (cells) => {
    let found: readonly Label[] = []
    for (const begin of begins)
      for (let at = cells.indexOf(begin); at !== -1; at = cells.indexOf(begin, at + 1)) {
        const from = at + begin.length
        const labels = labelsOf(cells.slice(from, cells.indexOf(']', from)))
        found = found.length === 0 ? labels : [...new Set([...found, ...labels])]
      }
    return found
  }
}

/** Up to this number, places are looked up one by one; with more places, every cell is inspected. */
const FEW_PLACES = 4

/** Whether the record with these cells is in the set. */
export function cellTest({ places, range }: KeySet): (cells: string) => boolean {
  const isWanted = keyTest(range)
  const begins = places.flatMap(({ attribute, scopes }) => scopes.map((scope) => `[${attribute},${scope},`))
  if (begins.length > FEW_PLACES) return anyCellTest(new Set(begins), isWanted)
  const tests = begins.map((begin) => (cells: string): boolean => {
    for (let at = cells.indexOf(begin); at !== -1; at = cells.indexOf(begin, at + 1)) {
      const from = at + begin.length
      if (isWanted(cells, from, cells.indexOf(']', from))) return true
    }
    return false
  })
  return tests.length === 1 ? tests[0]! : (cells) => tests.some((test) => test(cells))
}

function anyCellTest(begins: ReadonlySet<string>, isWanted: KeyTest): (cells: string) => boolean {
  return (cells) => {
    for (let at = cells.indexOf('[', 1); at !== -1; at = cells.indexOf('[', at + 1)) {
      const from = cells.indexOf(',', cells.indexOf(',', at) + 1) + 1
      if (begins.has(cells.slice(at, from)) && isWanted(cells, from, cells.indexOf(']', from))) return true
    }
    return false
  }
}

type KeyTest = (cells: string, from: number, to: number) => boolean

/** Tests the key written at [from, to) of the cells. */
function keyTest(range: KeyRange): KeyTest {
  switch (range.kind) {
    case 'any':
      return () => true
    case 'filled':
      return (cells, from, to) => to - from !== 2 || !cells.startsWith('""', from)
    case 'point':
      return isWritten(range.key)
    case 'either': {
      const written = new Set(range.keys.map(writeKey))
      return (cells, from, to) => written.has(cells.slice(from, to))
    }
    case 'range':
      return (cells, from, to) => isNumber(cells, from) && isWithin(Number(cells.slice(from, to)), range)
    case 'prefix': {
      const begin = writeKey(range.text).slice(0, -1)
      return (cells, from) => cells.startsWith(begin, from)
    }
  }
}

function isWritten(key: IndexKey): KeyTest {
  const text = writeKey(key)
  return (cells, from, to) => to - from === text.length && cells.startsWith(text, from)
}

/** True if a number begins at this position: texts begin with a quotation mark, and digests with a brace. */
function isNumber(cells: string, at: number): boolean {
  const code = cells.charCodeAt(at)
  return code !== 0x22 && code !== 0x7b
}
