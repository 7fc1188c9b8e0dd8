// Reads the parts of a workbook that come before its rows: the sheets, the shared texts, and which numbers are dates.
// Contract 3 §4.
import path from 'node:path'
import { invalid, shorten } from '../../kernel/errors.ts'
import { type Archive, noWorkbook } from './archive.ts'
import { SharedStrings } from './shared-strings.ts'
import { decodeText } from './sheet-text.ts'
import { type Attributes, readXml, XmlReader } from './xml-events.ts'

/** Bytes of the parts that list sheets and styles. */
const MAX_SMALL_PART = 32 * 1024 ** 2
const MAX_SHEETS = 1000
/** Characters of the path from one part to another. */
const MAX_TARGET = 1000
const MAX_STYLES = 100_000
/** Characters of a format that are looked at. Spreadsheets take 255. */
const MAX_FORMAT = 1000

interface Sheet {
  readonly name: string
  readonly part: string
}

interface Workbook {
  readonly sheets: readonly Sheet[]
  /** Whether days are counted from 1904. */
  readonly isFrom1904: boolean
  readonly stringsPart: string | undefined
  readonly stylesPart: string | undefined
}

interface Relation {
  readonly type: string
  readonly target: string
}

/** @throws VALIDATION_ERROR */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const root = await readRelations(archive, '')
  const main = [...root.values()].find(({ type }) => type === 'officeDocument')?.target
  if (main === undefined) throw noWorkbook()
  const relations = await readRelations(archive, main)
  const sheets: Sheet[] = []
  let isFrom1904 = false
  await readSmall(archive, main, (name, attributes) => {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
    if (name !== 'sheet' || sheets.length >= MAX_SHEETS) return
    const relation = relations.get(idOf(attributes))
    if (relation?.type === 'worksheet') sheets.push({ name: attributes['name'] ?? '', part: relation.target })
  })
  if (sheets.length === 0) throw invalid('The xlsx has no sheet')
  const partOf = (type: string): string | undefined => {
    const part = [...relations.values()].find((relation) => relation.type === type)?.target
    return part !== undefined && archive.has(part) ? part : undefined
  }
  return { sheets, isFrom1904, stringsPart: partOf('sharedStrings'), stylesPart: partOf('styles') }
}

/** @throws VALIDATION_ERROR naming the existing sheets */
export function findSheet({ sheets }: Workbook, name: string | undefined): Sheet {
  const found = name === undefined ? sheets[0] : sheets.find((sheet) => sheet.name === name)
  if (found !== undefined) return found
  const names = sheets.slice(0, 20).map((sheet) => `'${shorten(sheet.name, 31)}'`)
  throw invalid(`The xlsx has no sheet '${shorten(name ?? '', 31)}': it has ${names.join(', ')}`)
}

function idOf(attributes: Attributes): string {
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'))
  return key === undefined ? '' : attributes[key]!
}

/** Returns the relations of a part by ID; '' is the archive. */
async function readRelations(archive: Archive, of: string): Promise<Map<string, Relation>> {
  const folder = path.posix.dirname(of || 'x')
  const part = path.posix.join(folder, '_rels', `${path.posix.basename(of)}.rels`)
  const relations = new Map<string, Relation>()
  if (!archive.has(part)) throw noWorkbook()
  await readSmall(archive, part, (name, attributes) => {
    const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes
    if (name !== 'Relationship' || id === undefined || target === undefined || mode === 'External') return
    // Steps upwards are resolved in time that grows with the square of their number.
    if (target.length > MAX_TARGET) return
    const resolved = target.startsWith('/') ? target.slice(1) : path.posix.join(folder, target)
    relations.set(id, { type: (type ?? '').split('/').at(-1)!, target: resolved })
  })
  return relations
}

async function readSmall(
  archive: Archive,
  part: string,
  open: (name: string, attributes: Attributes) => void,
): Promise<void> {
  if (archive.sizeOf(part) > MAX_SMALL_PART) throw invalid(`The part '${part}' of the xlsx is too large`)
  await readXml(part, archive.read(part), { open })
}

/** For each cell style, whether its numbers are dates or times. */
export async function readDateStyles(archive: Archive, part: string): Promise<boolean[]> {
  /** Custom formats: a format of date or time, or not. */
  const formats = new Map<number, boolean>()
  const styles: boolean[] = []
  let isInside = false
  await readSmall(archive, part, (name, attributes) => {
    if (name === 'cellXfs') isInside = true
    if (name === 'cellStyles' || name === 'dxfs') isInside = false
    if (name === 'numFmt' && formats.size < MAX_STYLES)
      formats.set(Number(attributes['numFmtId']), isDateFormat((attributes['formatCode'] ?? '').slice(0, MAX_FORMAT)))
    if (name !== 'xf' || !isInside || styles.length >= MAX_STYLES) return
    const id = Number(attributes['numFmtId'] ?? 0)
    styles.push(formats.get(id) ?? isBuiltInDate(id))
  })
  return styles
}

/** Durations ([h]:mm:ss is 46) stay numbers. */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) || id === 45 || id === 47
}

/** Looks for letters of days and hours outside of quotes, escapes and brackets. */
function isDateFormat(code: string): boolean {
  const [first = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return false
  return /[ymdhs]/i.test(first.replaceAll(/\[[^\]]*\]|general/gi, '').replaceAll(/E[+-]/gi, ''))
}

/** @param file takes the texts that do not fit in memory */
export async function readSharedStrings(
  archive: Archive,
  part: string | undefined,
  file: string,
): Promise<SharedStrings> {
  const strings = new SharedStrings(file)
  if (part === undefined) return strings
  let text = ''
  let isText = false
  let phonetic = 0
  const reader = new XmlReader(part, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic += 1
      else if (name === 't') isText = phonetic === 0
    },
    text(some) {
      if (isText) text += some
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') phonetic -= 1
      else if (name === 'si') strings.add(decodeText(text))
    },
  })
  try {
    for await (const chunk of archive.read(part)) reader.write(chunk)
    reader.end()
    return strings
  } catch (error) {
    strings.close()
    throw error
  }
}
