// Values that name other records: one, or several in order. Contract 2 §3.
import { ID_PATTERN } from '../../kernel/input/validation.ts'
import { MAX_REFERENCES } from '../values/rules.ts'
import { faultOf } from '../values/value-fault.ts'
import { type DataType, isString, keepSome, severalIds, singleText } from './data-type.ts'

export const reference: DataType = {
  ...singleText,
  form: 'the ID of a record',
  findFault: (value) => (isString(value) && value.length <= 128 ? undefined : faultOf('type', 'must be a record ID')),
  records: {
    areKept: false,
    named: (value) => (value === '' ? [] : [value as string]),
    keep: (value, isKept) => (value === '' || isKept(value as string) ? value : undefined),
  },
}

/** IDs hold no vertical bar, so that a cell with several of them can be read back. */
function isRecordId(item: unknown): boolean {
  return isString(item) && ID_PATTERN.test(item)
}

export const references: DataType = {
  ...severalIds,
  form: 'an array of the IDs of up to 200 records, each once, in order',
  findFault: (value, { validation }) => {
    if (!Array.isArray(value) || !value.every(isRecordId)) return faultOf('type', 'must be an array of record IDs')
    if (new Set(value).size < value.length) return faultOf('type', 'must not list a record twice')
    const { maxCount = MAX_REFERENCES } = validation
    return value.length <= maxCount ? undefined : faultOf('length', `must list at most ${maxCount} records`)
  },
  records: {
    areKept: true,
    named: (value) => value as string[],
    keep: (value, isKept) => keepSome(value as string[], isKept),
  },
}
