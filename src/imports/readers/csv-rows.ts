// Finds the ends and cells of rows (RFC 4180). Written by hand because csv-parse is several times slower on such files.
// Its first fault (row size, quotes, bytes that are not UTF-8) also ends the file or spoils later rows.
import { invalid, PimletError } from '../../kernel/errors.ts'
import type { TextCell } from '../../core/csv/csv-cell.ts'
import type { LineEnds } from '../../kernel/json/line-splitter.ts'

const QUOTE = 0x22
const LINE_FEED = 0x0a

/** Rows end at a line feed outside quotes; a quote opens a cell only where the cell begins. */
export class CsvRowEnds implements LineEnds {
  #isQuoted = false
  /** Whether a quote at the very next byte opens a cell, or, right after a closing quote, continues that cell. */
  #mayOpen = true
  #part: Buffer | undefined
  #quote = -1
  #feed = -1
  readonly #delimiter: number

  constructor(delimiter = ',') {
    this.#delimiter = delimiter.charCodeAt(0)
  }

  find(part: Buffer, from: number): number {
    if (part !== this.#part) this.#begin(part)
    // Position of a quote that opens without a delimiter before it.
    let opening = this.#mayOpen ? from : -1
    for (let at = from; ;) {
      const quote = this.#findQuote(part, at)
      if (this.#isQuoted) {
        if (quote === -1) return this.#pause(false)
        this.#isQuoted = false
        opening = at = quote + 1
      } else {
        if (this.#findFeed(part, at) && (quote === -1 || this.#feed < quote)) {
          this.#mayOpen = true
          return this.#feed
        }
        if (quote === -1) return this.#pause(opening === part.length || part.at(-1) === this.#delimiter)
        this.#isQuoted = quote === opening || (quote > from && part[quote - 1] === this.#delimiter)
        at = quote + 1
      }
      if (at >= part.length && this.#isQuoted) return this.#pause(false)
    }
  }

  #begin(part: Buffer): void {
    this.#part = part
    this.#quote = part.indexOf(QUOTE)
    this.#feed = part.indexOf(LINE_FEED)
  }

  #findQuote(part: Buffer, at: number): number {
    if (this.#quote !== -1 && this.#quote < at) this.#quote = nextQuote(part, at)
    return this.#quote
  }

  #findFeed(part: Buffer, at: number): boolean {
    if (this.#feed !== -1 && this.#feed < at) this.#feed = part.indexOf(LINE_FEED, at)
    return this.#feed !== -1
  }

  #pause(mayOpen: boolean): -1 {
    this.#mayOpen = mayOpen
    return -1
  }
}

/** Adjacent quotes are compared one by one, because calling `indexOf` for each is far slower. */
function nextQuote(part: Buffer, from: number): number {
  return part[from] === QUOTE ? from : part.indexOf(QUOTE, from)
}

/** A limit that no row reaches. */
const MANY_CELLS = 2 ** 31

/** The cells of a row. @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE for more than `maxCells` */
export function readCells(text: string, maxCells = MANY_CELLS, delimiter = ','): TextCell[] {
  const cells = text.includes('"') ? splitQuoted(text, maxCells, delimiter) : splitPlain(text, maxCells, delimiter)
  if (cells.length > maxCells)
    throw new PimletError('PAYLOAD_TOO_LARGE', `The row has more than ${maxCells} cells (--max-body-values)`)
  return cells
}

/** Returns at most one cell more than `maxCells`. */
function splitPlain(text: string, maxCells: number, delimiter: string): TextCell[] {
  return text.split(delimiter, maxCells + 1).map((cell) => (cell === '' ? null : cell))
}

function splitQuoted(text: string, maxCells: number, delimiter: string): TextCell[] {
  const cells: TextCell[] = []
  for (let at = 0; at <= text.length && cells.length <= maxCells;) {
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1, cells.length + 1, delimiter)
      cells.push(withSingleQuotes(text.slice(at + 1, end)))
      at = end + 2
    } else {
      const next = text.indexOf(delimiter, at)
      const end = next === -1 ? text.length : next
      const cell = text.slice(at, end)
      if (cell.includes('"')) throw invalid(`Cell ${cells.length + 1} holds a quote without being quoted`)
      cells.push(cell === '' ? null : cell)
      at = end + 1
    }
  }
  return cells
}

/** Characters. A longer cell full of quotes could block the main thread for a second. */
const LONG_CELL = 4096

/** Replaces each doubled quote by one; the text holds no other quotes. */
function withSingleQuotes(text: string): string {
  if (text.length < LONG_CELL || !text.includes('"')) return text.replaceAll('""', '"')
  const units = new Uint16Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    units[length] = unit
    length += 1
    if (unit === QUOTE) at += 1
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}

/** Position of the quote that closes the cell. */
function endOfQuoted(text: string, from: number, cell: number, delimiter: string): number {
  for (let at = from; ;) {
    // Adjacent quotes are counted one by one, because calling `indexOf` for each is far slower.
    const quote = text.charCodeAt(at) === QUOTE ? at : text.indexOf('"', at)
    if (quote === -1) throw invalid(`The quotes of cell ${cell} are not closed`)
    const next = text.charCodeAt(quote + 1)
    if (Number.isNaN(next) || next === delimiter.charCodeAt(0)) return quote
    if (next !== QUOTE) throw invalid(`Something follows the quotes of cell ${cell}`)
    at = quote + 2
  }
}
