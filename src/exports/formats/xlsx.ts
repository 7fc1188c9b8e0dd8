// The format xlsx: one sheet with typed cells (numbers, booleans, dates); texts are never formulas. The file is written while rows
// arrive, in bounded memory. Home of hucre. Contract 3 §4.
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import { parseDate, parseDateTime } from '../../core/values/dates.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { CellForm, DateForm, Format, FormatOptions, SheetCell, SheetPart, SheetColumn } from './format.ts'
import { numberForm } from '../rules/number-form.ts'
import { type Cells, cellsOfValues, createTable } from './table.ts'
import { Readable } from 'node:stream'
import { writeXlsxStream } from 'hucre/xlsx'
import { invalid, shorten } from '../../kernel/errors.ts'

/** Rows that spreadsheets can open, including the header. */
const MAX_ROWS = 1_048_576
const MAX_CHARACTERS = 32_767
const FORMATS = { date: 'yyyy-mm-dd', dateTime: 'yyyy-mm-dd hh:mm:ss' } as const

/** @throws VALIDATION_ERROR while iterating, for more rows, or a longer text, than a sheet can hold */
export async function* workbookBytes(parts: AsyncIterable<SheetPart>, sheet: string): AsyncGenerator<Buffer, void> {
  const source = parts[Symbol.asyncIterator]()
  try {
    const first = await source.next()
    const columns = first.done === true || !('columns' in first.value) ? [] : first.value.columns
    const stream = writeXlsxStream(rowsOf(source, columns), {
      name: sheet,
      columns: columns.map(({ header, form }) => ({
        header: asText(header),
        ...(form === undefined ? {} : { numFmt: typeof form === 'string' ? FORMATS[form] : form.code }),
      })),
      freezePane: { rows: 1 },
      maxRowsPerSheet: Infinity,
    })
    yield* Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]) as AsyncIterable<Buffer>
  } finally {
    await source.return?.()
  }
}

async function* rowsOf(
  source: AsyncIterator<SheetPart>,
  columns: readonly SheetColumn[],
): AsyncGenerator<SheetCell[], void> {
  let count = 1
  for (;;) {
    const { done, value: part } = await source.next()
    if (done === true) return
    for (const row of 'rows' in part ? part.rows : []) {
      count += 1
      if (count > MAX_ROWS)
        throw invalid(`The xlsx would have more than ${MAX_ROWS} rows: narrow the export, or take another format`)
      yield row.map((cell, index) => (typeof cell === 'string' ? checked(cell, columns[index], row) : cell))
    }
  }
}

function checked(text: string, column: SheetColumn | undefined, row: readonly SheetCell[]): string {
  if (text.length <= MAX_CHARACTERS) return asText(text)
  const place = `The column '${shorten(column?.header ?? '', 100)}' has a text of ${text.length} characters`
  const first = typeof row[0] === 'string' ? ` in the row of '${shorten(row[0], 128)}'` : ''
  throw invalid(
    `${place}${first}; a cell of an xlsx holds ${MAX_CHARACTERS}: leave the column out, or take another format`,
  )
}

/** Escapes text that looks like an escape. Also escapes U+FFFE and U+FFFF, which XML forbids and the writer lets through. */
function asText(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('\uFFFE', '_xFFFE_')
    .replaceAll('\uFFFF', '_xFFFF_')
}

/** Earlier days are counted differently from one program to the next: they stay texts. */
const FIRST_DAY = Date.UTC(1900, 2, 1)
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The cell of a text that is a date or a moment; of a moment its UTC, unless `isExact`: then it comes back as it is written. */
export function dateCell(text: string, form: DateForm, { isExact = false } = {}): SheetCell {
  const instant = form === 'date' ? parseDate(text) : parseDateTime(text)
  if (instant === undefined || instant < FIRST_DAY || instant > LAST_MOMENT) return text
  const date = new Date(instant)
  return isExact && form === 'dateTime' && date.toISOString() !== text ? text : date
}

function dateFormOf({ dataType }: Pick<Attribute, 'dataType'>): DateForm | undefined {
  return dataType === 'date' || dataType === 'dateTime' ? dataType : undefined
}

/**
 * The date format of columns. Schemas may share an alias: if one has numbers, they would be shown as days, so dates stay
 * texts.
 */
function dateForms(attributes: readonly Attribute[]): (attribute: Attribute) => DateForm | undefined {
  const numbered = new Set(
    attributes.filter((attribute) => dataTypeOf(attribute).order === 'number').map(({ alias }) => alias),
  )
  return (attribute) => (numbered.has(attribute.alias) ? undefined : dateFormOf(attribute))
}

function cellsFor(options: FormatOptions): Cells<SheetCell> {
  const { isExact } = options
  const formOf = dateForms(options.attributes)
  const cellOf = cellsOfValues(options)
  return {
    ofField: (text, field) =>
      text !== null && (field === 'createdAt' || field === 'updatedAt') ? dateCell(text, 'dateTime') : text,
    ofValue: (value, attribute) => {
      const cell = cellOf(value, attribute)
      const form = formOf(attribute)
      return form !== undefined && typeof cell === 'string' ? dateCell(cell, form, { isExact }) : cell
    },
    ofUnit: (unit) => unit,
    deleted: true,
  }
}

export const writeXlsx: Format<SheetPart> = (options) => {
  const table = createTable(options, cellsFor(options))
  const formOf = dateForms(options.attributes)
  return {
    survey: table.survey,
    begin() {
      const { header, cells } = table.begin()
      const forms = new Map<number, CellForm>([
        [header.indexOf('createdAt'), 'dateTime'],
        [header.indexOf('updatedAt'), 'dateTime'],
      ])
      for (const attribute of options.attributes) {
        const form = formOf(attribute) ?? numberForm(attribute)
        if (form === undefined) continue
        // Schemas may share an alias: a moment must not be shown as a day.
        for (const { text } of cells.get(attribute.alias)?.values() ?? [])
          if (forms.get(text) !== 'dateTime') forms.set(text, form)
      }
      return { columns: header.map((name, index) => ({ header: name, form: forms.get(index) })) }
    },
    write: (records) => ({ rows: table.rows(records) }),
    writeDeleted: (ids) => ({ rows: table.deletedRows(ids) }),
    end: () => ({ rows: [] }),
    mustBeginAgain: () => table.mustBeginAgain(),
  }
}
