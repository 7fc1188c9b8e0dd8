// Makes spreadsheets for tests: real archives, including malicious ones.
import { crc32, deflateRawSync } from 'node:zlib'

export type SheetCell =
  | string
  | number
  | boolean
  | null
  /** Days since 1900, shown as a date. */
  | { readonly days: number }
  /** XML of the cell, unchanged. */
  | { readonly xml: string }

export interface SheetFile {
  readonly name: string
  readonly rows: readonly (readonly SheetCell[])[]
}

export interface PartOptions {
  /** False size in the archive's directory. */
  readonly claimedSize?: number
}

export interface Part extends PartOptions {
  readonly name: string
  readonly content: string | Buffer
}

/** An archive of these parts. */
export function zip(parts: readonly Part[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content, claimedSize } of parts) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes, { level: 6 })
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc32(bytes), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(claimedSize ?? bytes.length, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    head.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(offset, 42)
    locals.push(head, Buffer.from(name), packed)
    central.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface WorkbookOptions {
  /** Whether cells share texts, as spreadsheet programs write them. */
  readonly isShared?: boolean
  readonly isFrom1904?: boolean
}

/** Makes the parts of a workbook, for changing or packing. */
export function workbookParts(sheets: readonly SheetFile[], options: WorkbookOptions = {}): Part[] {
  const { isShared = false, isFrom1904 = false } = options
  const texts = new Map<string, number>()
  const textOf = (text: string): number => {
    if (!texts.has(text)) texts.set(text, texts.size)
    return texts.get(text)!
  }
  const sheetParts = sheets.map(({ rows }, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    content: sheetXml(rows, isShared ? textOf : undefined),
  }))
  const names = sheets.map(({ name }, at) => `<sheet name="${escape(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  const relations = sheets.map((_sheet, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
  const workbook = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${isFrom1904 ? ' date1904="1"' : ''}/><sheets>${names.join('')}</sheets></workbook>`
  const styles = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`
  const strings = [...texts.keys()].map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`)
  return [
    { name: '_rels/.rels', content: relationsXml([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    { name: 'xl/workbook.xml', content: workbook },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationsXml([
        ...relations,
        relation('rIdStyles', 'styles', 'styles.xml'),
        relation('rIdTexts', 'sharedStrings', 'sharedStrings.xml'),
      ]),
    },
    { name: 'xl/styles.xml', content: styles },
    ...(isShared ? [{ name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${strings.join('')}</sst>` }] : []),
    ...sheetParts,
  ]
}

export function xlsxFile(rows: readonly (readonly SheetCell[])[], options?: WorkbookOptions): Buffer {
  return zip(workbookParts([{ name: 'Sheet1', rows }], options))
}

function sheetXml(rows: readonly (readonly SheetCell[])[], share: ((text: string) => number) | undefined): string {
  const lines = rows.map(
    (cells, at) => `<row r="${at + 1}">${cells.map((cell, column) => cellXml(cell, column, at, share)).join('')}</row>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

function cellXml(cell: SheetCell, column: number, row: number, share: ((text: string) => number) | undefined): string {
  const place = `r="${letters(column)}${row + 1}"`
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c ${place} t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'object')
    return 'xml' in cell ? cell.xml.replace('<c', `<c ${place}`) : `<c ${place} s="1"><v>${cell.days}</v></c>`
  if (share !== undefined) return `<c ${place} t="s"><v>${share(cell)}</v></c>`
  return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
}

function letters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : letters(Math.floor(column / 26) - 1) + letter
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
}

function relationsXml(relations: readonly string[]): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
