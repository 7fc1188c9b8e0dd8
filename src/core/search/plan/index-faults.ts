// Compares the index rows of a record with the rows that the indexer's own function would write.
import { type Cell, writeCells } from './cells.ts'
import type { IndexEntry } from './index-rows.ts'
import { isTextIndexed, markText, splitTexts } from './index-text.ts'

/** The index rows of a record. */
interface KeptEntry {
  /** Without duplicates. */
  readonly cells: readonly Cell[]
  /** All texts, concatenated. */
  readonly texts: string
  /** Whether the texts are too large for the full-text index. */
  readonly isLarge: boolean
}

/** The numbers of attributes and scopes in an index. */
export interface KeptNumbers {
  /** Returns an unused number for an unknown alias. */
  attributeOf(alias: string): number
  scopeOf(scope: string, isInherited: boolean): number
  /** Whether the index lists values of the attribute in the scope. */
  knows(attribute: number, scope: number): boolean
  /** Returns text in the form that the index can store. */
  asStored(text: string): string
}

/** Describes the fault; undefined: the rows are right. */
export function findIndexFault(entry: IndexEntry, kept: KeptEntry, numbers: KeptNumbers): string | undefined {
  const rows = entry.rows.map(({ alias, scope, isInherited, key }): Cell => [
    numbers.attributeOf(alias),
    numbers.scopeOf(scope, isInherited),
    key,
  ])
  if (!isSameList(distinctCells(rows).map(textOf), kept.cells.map(textOf)))
    return 'its rows are not those of its values'
  if (!rows.every(([attribute, scope]) => numbers.knows(attribute, scope))) return 'a scope of its values is not known'
  const marked = entry.texts.map(({ alias, scope, isInherited, text }) =>
    markText(numbers.attributeOf(alias), numbers.scopeOf(scope, isInherited), text),
  )
  const isIndexed = isTextIndexed(marked)
  if (isIndexed === kept.isLarge) return 'its text is not where texts of its size are'
  const expected = isIndexed ? numbers.asStored(marked.join('')) : ''
  return isSameList(splitTexts(expected), splitTexts(kept.texts)) ? undefined : 'its text is not that of its values'
}

export function distinctCells(cells: readonly Cell[]): Cell[] {
  return cells.length < 2 ? [...cells] : [...new Map(cells.map((cell) => [textOf(cell), cell])).values()]
}

function textOf(cell: Cell): string {
  return writeCells([cell])
}

/** Compares two lists, ignoring order. */
function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  if (one.every((item, index) => item === other[index])) return true
  const sorted = other.toSorted()
  return one.toSorted().every((item, index) => item === sorted[index])
}
