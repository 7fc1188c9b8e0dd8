// The cells of one record in the search index, as text: `[[attribute,scope,key],…]`. A search looks through them without
// making values of them; so in a key no bracket stands by itself.
import type { IndexKey } from './index-rows.ts'
import type { KeyRange, KeySet } from './sets.ts'

export type Cell = readonly [attribute: number, scope: number, key: IndexKey]

export function writeCells(cells: readonly Cell[]): string {
  return `[${cells.map(([attribute, scope, key]) => `[${attribute},${scope},${writeKey(key)}]`).join(',')}]`
}

export function readCells(text: string): Cell[] {
  return (JSON.parse(text) as [number, number, IndexKey | { digest: string }][]).map(([attribute, scope, key]) => [
    attribute,
    scope,
    typeof key === 'object' && 'digest' in key ? Buffer.from(key.digest, 'hex') : (key as IndexKey),
  ])
}

/** One spelling for each key, so that texts can be compared. */
function writeKey(key: IndexKey): string {
  if (typeof key === 'number') return JSON.stringify(key)
  if (typeof key === 'string')
    return JSON.stringify(key)
      .replaceAll('[', String.raw`\u005b`)
      .replaceAll(']', String.raw`\u005d`)
  return `{"digest":"${key.toString('hex')}"}`
}

/** Whether the record with these cells is in the set. */
export function cellTest({ attribute, scopes, range }: KeySet): (cells: string) => boolean {
  const begin = `[${attribute},`
  const isWanted = keyTest(range)
  const single = scopes.length === 1 ? `${begin}${scopes[0]},` : undefined
  if (single !== undefined) {
    return (cells) => {
      for (let at = cells.indexOf(single); at !== -1; at = cells.indexOf(single, at + 1)) {
        const from = at + single.length
        if (isWanted(cells, from, cells.indexOf(']', from))) return true
      }
      return false
    }
  }
  const wanted = new Set(scopes)
  return (cells) => {
    for (let at = cells.indexOf(begin); at !== -1; at = cells.indexOf(begin, at + 1)) {
      const comma = cells.indexOf(',', at + begin.length)
      if (!wanted.has(Number(cells.slice(at + begin.length, comma)))) continue
      if (isWanted(cells, comma + 1, cells.indexOf(']', comma))) return true
    }
    return false
  }
}

/** Whether the key that is written at [from, to) of the cells is in the range. */
function keyTest(range: KeyRange): (cells: string, from: number, to: number) => boolean {
  switch (range.kind) {
    case 'any':
      return () => true
    case 'filled':
      return (cells, from, to) => to - from !== 2 || !cells.startsWith('""', from)
    case 'point':
      return isWritten(range.key)
    case 'either': {
      const tests = range.keys.map(isWritten)
      return (cells, from, to) => tests.some((test) => test(cells, from, to))
    }
    case 'above':
      return (cells, from, to) => isNumber(cells, from) && Number(cells.slice(from, to)) > range.bound
    case 'below':
      return (cells, from, to) => isNumber(cells, from) && Number(cells.slice(from, to)) < range.bound
  }
}

function isWritten(key: IndexKey): (cells: string, from: number, to: number) => boolean {
  const text = writeKey(key)
  return (cells, from, to) => to - from === text.length && cells.startsWith(text, from)
}

/** Whether a number begins there: texts begin with a quotation mark, digests with a brace. */
function isNumber(cells: string, at: number): boolean {
  const code = cells.charCodeAt(at)
  return code !== 0x22 && code !== 0x7b
}
