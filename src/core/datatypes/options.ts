// Values that name options of their attribute.
import type { ValueRules } from '../values/rules.ts'
import { faultOf } from '../values/value-fault.ts'
import { findById } from '../../kernel/found-by-id.ts'
import { type DataType, isString, keepSome, severalIds, singleText } from './data-type.ts'

const list = ({ options }: ValueRules): readonly string[] => options.map((option) => option.id)

function isOption(value: string, { options }: ValueRules): boolean {
  return findById(options, value) !== undefined
}

export const select: DataType = {
  ...singleText,
  form: 'the ID of an option',
  findFault: (value, attribute) => {
    if (!isString(value)) return faultOf('type', 'must be the ID of an option')
    return value === '' || isOption(value, attribute)
      ? undefined
      : faultOf('option', `must be the ID of an option of '${attribute.alias}'`)
  },
  choices: {
    noun: 'option',
    list,
    isOpenWhenEmpty: false,
    named: (value) => (value === '' ? [] : [value as string]),
    keep: () => undefined,
  },
}

export const multiSelect: DataType = {
  ...severalIds,
  form: 'an array of the IDs of options',
  findFault: (value, attribute) => {
    if (!Array.isArray(value) || !value.every(isString)) return faultOf('type', 'must be an array of option IDs')
    if (new Set(value).size < value.length) return faultOf('option', 'must not list an option twice')
    if (!value.every((id) => isOption(id, attribute)))
      return faultOf('option', `must list IDs of options of '${attribute.alias}' only`)
    const { maxItems } = attribute.validation
    if (maxItems === undefined || value.length <= maxItems) return undefined
    return faultOf('length', `must have at most ${maxItems} items`)
  },
  choices: {
    noun: 'option',
    list,
    isOpenWhenEmpty: false,
    named: (value) => value as string[],
    keep: (value, isKept) => keepSome(value as string[], isKept),
  },
}
