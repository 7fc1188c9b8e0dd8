// Names of the pictures on a wall: the label of the record, else the name of its file, else the ID.
import type { FileName } from '../../src/core/datatypes/file.ts'
import { scopedValues } from '../../src/core/records/rules/record.ts'
import type { RecordsState } from './records-state.ts'
import { type RecordRow, valueOfCell } from './rows.ts'
import { attributeColumn } from './columns.ts'

export function labelOfRow(records: RecordsState): (row: RecordRow) => string {
  const { schema, scope } = records
  const source = records.columnSource()
  const column = source && attributeColumn(schema.value?.labelAttribute ?? '', {}, source)
  const bar = scope.value
  return (row) => {
    const label = column?.kind === 'attribute' ? valueOfCell(row, column, bar).value : undefined
    if (typeof label === 'string') return label
    const [file] = scopedValues(row.record.values, schema.peek()?.imageAttribute ?? '')
    return (file?.value as FileName | undefined)?.fileName ?? row.record.id
  }
}
