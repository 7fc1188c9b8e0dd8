// One sheet with typed cells: numbers, truth values, dates; texts are never formulas. Contract 3 §4. What makes a file of the
// parts is `workbook.ts`.
import { dataTypeOf } from '../../domain/datatypes/data-types.ts'
import { parseDate, parseDateTime } from '../../domain/values/dates.ts'
import type { Attribute } from '../../domain/model/attributes.ts'
import type { DateForm, Format, SheetCell, SheetPart } from './format.ts'
import { type Cells, createTable } from './table.ts'

/** Earlier days are counted differently from one program to the next: they stay texts. */
const FIRST_DAY = Date.UTC(1900, 2, 1)
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The cell of a text that is a date or a moment; of a moment its UTC. */
export function dateCell(text: string, form: DateForm): SheetCell {
  const instant = form === 'date' ? parseDate(text) : parseDateTime(text)
  return instant === undefined || instant < FIRST_DAY || instant > LAST_MOMENT ? text : new Date(instant)
}

export function dateFormOf({ dataType }: Pick<Attribute, 'dataType'>): DateForm | undefined {
  return dataType === 'date' || dataType === 'dateTime' ? dataType : undefined
}

const CELLS: Cells<SheetCell> = {
  ofField: (text, field) =>
    text !== null && (field === 'createdAt' || field === 'updatedAt') ? dateCell(text, 'dateTime') : text,
  ofValue: (value, attribute) => {
    const cell = dataTypeOf(attribute).toCell(value)
    const form = dateFormOf(attribute)
    return form !== undefined && typeof cell === 'string' ? dateCell(cell, form) : cell
  },
  ofUnit: (unit) => unit,
  deleted: true,
}

export const writeXlsx: Format<SheetPart> = (options) => {
  const table = createTable(options, CELLS)
  return {
    survey: table.survey,
    begin() {
      const { header, cells } = table.begin()
      const forms = new Map<number, DateForm>([
        [header.indexOf('createdAt'), 'dateTime'],
        [header.indexOf('updatedAt'), 'dateTime'],
      ])
      for (const attribute of options.attributes) {
        const form = dateFormOf(attribute)
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
