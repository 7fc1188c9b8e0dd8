// Reads the rows of a sheet, with each cell at its column and in its type. Contract 3 §4.
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import { invalid, PimletError, shorten } from '../../kernel/errors.ts'
import type { PlacedCell } from '../rules/placed-cells.ts'
import { MAX_CELL, type SharedStrings } from './shared-strings.ts'
import { decodeText, momentOf } from './sheet-text.ts'
import { type Attributes, XmlReader } from './xml-events.ts'

const MAX_ROWS = 1_048_576
const MAX_COLUMNS = 16_384
/** Characters of a cell that cannot be read. */
const MAX_FAULTY = 100

export interface SheetRow {
  /** From 1. */
  readonly line: number
  /** Empty for a row that is too large. */
  readonly cells: readonly PlacedCell[]
  /** In characters. */
  readonly size: number
  /** The fault of the first cell that cannot be read. */
  readonly fault: PimletError | undefined
}

interface SheetSetting {
  readonly strings: SharedStrings
  readonly dateStyles: readonly boolean[]
  readonly isFrom1904: boolean
  /** Characters of one row. */
  readonly maxRow: number
}

/** Collects rows, which are taken after each chunk. @throws VALIDATION_ERROR for a part that is no sheet */
export class SheetReader {
  readonly #reader: XmlReader
  readonly #setting: SheetSetting
  #rows: SheetRow[] = []
  #line = 0
  #isRow = false
  #cells: PlacedCell[] = []
  #size = 0
  #fault: PimletError | undefined
  #column = -1
  #type = 'n'
  #style = 0
  #text = ''
  #takesText = false
  #hasValue = false
  #phonetic = 0

  constructor(part: string, setting: SheetSetting) {
    this.#setting = setting
    this.#reader = new XmlReader(part, {
      open: (name, attributes) => this.#open(name, attributes),
      text: (text) => {
        if (this.#takesText && this.#text.length <= MAX_CELL) this.#text += text
      },
      close: (name) => this.#close(name),
    })
  }

  /** Returns the rows that end in the chunk. @param chunk undefined: the sheet has ended */
  take(chunk: Buffer | undefined): SheetRow[] {
    if (chunk === undefined) this.#reader.end()
    else this.#reader.write(chunk)
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  #open(name: string, attributes: Attributes): void {
    if (name === 'c') this.#openCell(attributes)
    else if (name === 'v') this.#openText(true)
    else if (name === 't') this.#openText(this.#phonetic === 0)
    else if (name === 'row') this.#openRow(attributes)
    else if (name === 'rPh') this.#phonetic += 1
  }

  #openText(isValue: boolean): void {
    this.#takesText = isValue && this.#isRow
    this.#hasValue ||= this.#takesText
  }

  #openRow({ r }: Attributes): void {
    const line = r === undefined ? this.#line + 1 : Number(r)
    if (!(line > this.#line && line <= MAX_ROWS && Number.isInteger(line)))
      throw invalid(`The row '${shorten(r ?? '', 20)}' of the sheet is not behind the one before`)
    this.#line = line
    this.#isRow = true
    this.#cells = []
    this.#size = 0
    this.#fault = undefined
    this.#column = -1
  }

  #openCell({ r, t = 'n', s }: Attributes): void {
    const column = r === undefined ? this.#column + 1 : columnOf(r)
    if (!(column > this.#column && column < MAX_COLUMNS))
      throw invalid(`The cell '${shorten(r ?? '', 20)}' of the sheet is not behind the one before`)
    this.#column = column
    this.#type = t
    this.#style = s === undefined ? 0 : Number(s)
    this.#text = ''
    this.#hasValue = false
  }

  #close(name: string): void {
    if (name === 'v' || name === 't') this.#takesText = false
    else if (name === 'rPh') this.#phonetic -= 1
    else if (name === 'c' && this.#isRow) this.#endCell()
    else if (name === 'row') this.#endRow()
  }

  #endCell(): void {
    const { maxRow } = this.#setting
    if (!this.#hasValue || this.#size > maxRow) return
    const cell = this.#readAnyway()
    if (cell === null) return
    this.#cells.push([this.#column, cell])
    this.#size += typeof cell === 'string' ? cell.length : 8
    if (this.#size <= maxRow) return
    this.#cells = []
    this.#fault ??= new PimletError('PAYLOAD_TOO_LARGE', `The row is larger than ${maxRow} bytes (--max-body)`)
  }

  /** The failed row shows the text of a cell that cannot be read, unless the text is too long. */
  #readAnyway(): CsvCell {
    try {
      return this.#read()
    } catch (error) {
      if (!(error instanceof PimletError)) throw error
      this.#fault ??= error
      return ['s', 'inlineStr', 'str'].includes(this.#type) ? null : shorten(this.#text, MAX_FAULTY)
    }
  }

  #read(): CsvCell {
    const text = this.#text
    switch (this.#type) {
      case 's':
        return this.#assertFits(text === '' ? null : this.#setting.strings.get(Number(text)))
      case 'inlineStr':
        return this.#assertFits(decodeText(text))
      case 'str':
        return text === '' ? null : this.#assertFits(decodeText(text))
      case 'b':
        return text === '' ? null : text === '1' || text === 'true'
      case 'e':
        throw invalid(`The cell ${this.#place()} holds the error ${shorten(text, 20)}`)
      case 'd':
        return text === '' ? null : /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text
      default:
        return text === '' ? null : this.#readNumber(text)
    }
  }

  #assertFits(text: string | null | undefined): string | null {
    if (text === undefined || (text !== null && text.length > MAX_CELL))
      throw invalid(`The cell ${this.#place()} has more than ${MAX_CELL} characters`)
    return text
  }

  #readNumber(text: string): CsvCell {
    const number = Number(text)
    if (!Number.isFinite(number)) throw invalid(`The cell ${this.#place()} holds no number`)
    if (this.#setting.dateStyles[this.#style] !== true) return number
    return momentOf(number, this.#setting.isFrom1904) ?? number
  }

  #place(): string {
    return `${columnName(this.#column)}${this.#line}`
  }

  #endRow(): void {
    this.#isRow = false
    const row = { line: this.#line, cells: this.#cells, size: this.#size, fault: this.#fault }
    if (row.fault !== undefined || row.cells.some(isFilled)) this.#rows.push(row)
  }
}

/** Programs write empty texts where a sheet shows nothing. */
export function isFilled([, cell]: PlacedCell): boolean {
  return cell !== null && cell !== ''
}

/** `C5` → 2; NaN for an invalid cell reference. */
function columnOf(cell: string): number {
  let column = 0
  let at = 0
  for (; at < cell.length && at < 4; at += 1) {
    const letter = cell.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return at === 0 ? Number.NaN : column - 1
}

function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}
