// The built-in fields of every record, as cells of the sheet.
import type { FieldAttribute, Locale } from '../fields/field.ts'
import { dateTime } from '../fields/times.ts'
import type { ModelState } from '../state/model.ts'
import type { ColumnField } from './columns.ts'
import type { FoundRecord } from './rows.ts'

const MOMENT: FieldAttribute = {
  alias: '',
  dataType: 'dateTime',
  options: [],
  units: [],
  currencies: [],
  validation: {},
}

interface FieldWorld {
  readonly model: ModelState
  readonly locale: Locale
  /** Names of people, by ID. */
  readonly names: ReadonlyMap<string, string>
}

export function showField(record: FoundRecord, field: ColumnField, { model, locale, names }: FieldWorld): string {
  switch (field) {
    case 'lifecycleStateId': {
      const workflowId = model.schema(record.schemaId)?.workflowId ?? ''
      return model.stateName(workflowId, record.lifecycleStateId)
    }
    case 'completeness': {
      const { completeness } = record
      // A state that requires nothing has no count.
      if (completeness === undefined || completeness.total === 0) return ''
      return `${completeness.filled}/${completeness.total}`
    }
    case 'variantCount':
      return record.variantCount === undefined || record.variantCount === 0 ? '' : String(record.variantCount)
    // The picture is drawn.
    case 'image':
      return ''
    case 'createdAt':
    case 'updatedAt':
      return dateTime.show(record[field], MOMENT, locale)
    case 'id':
      return record.id
    default:
      return names.get(record[field]) ?? record[field]
  }
}
