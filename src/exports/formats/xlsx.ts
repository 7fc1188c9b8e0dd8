// One sheet with typed cells: numbers, truth values, dates; texts are never formulas. Contract 3 §4. What makes a file of the
// parts is `workbook.ts`.
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import { parseDate, parseDateTime } from '../../core/values/dates.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { DateForm, Format, FormatOptions, SheetCell, SheetPart } from './format.ts'
import { type Cells, createTable } from './table.ts'

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

/** What of a column's cells is a date. Schemas may share an alias: where one has numbers, they would be shown as days, and dates stay texts. */
function dateForms(attributes: readonly Attribute[]): (attribute: Attribute) => DateForm | undefined {
  const numbered = new Set(
    attributes.filter((attribute) => dataTypeOf(attribute).order === 'number').map(({ alias }) => alias),
  )
  return (attribute) => (numbered.has(attribute.alias) ? undefined : dateFormOf(attribute))
}

function cellsFor({ attributes, isExact = false }: FormatOptions): Cells<SheetCell> {
  const formOf = dateForms(attributes)
  return {
    ofField: (text, field) =>
      text !== null && (field === 'createdAt' || field === 'updatedAt') ? dateCell(text, 'dateTime') : text,
    ofValue: (value, attribute) => {
      const cell = dataTypeOf(attribute).toCell(value)
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
      const forms = new Map<number, DateForm>([
        [header.indexOf('createdAt'), 'dateTime'],
        [header.indexOf('updatedAt'), 'dateTime'],
      ])
      for (const attribute of options.attributes) {
        const form = formOf(attribute)
        if (form === undefined) continue
        // Schemas may share an alias: what has a time is not shown as a day.
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
