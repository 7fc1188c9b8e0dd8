// Values that are searched as text.
import { findTextFault } from '../values/rules.ts'
import { faultOf } from '../values/value-fault.ts'
import { type DataType, isString, singleText } from './data-type.ts'

export const text: DataType = {
  ...singleText,
  form: 'a string',
  findFault: (value, attribute, work) =>
    isString(value) ? findTextFault(value, attribute.validation, work) : faultOf('type', 'must be a string'),
  isText: true,
}

const SCRIPT_PROTOCOLS = new Set(['javascript:', 'data:', 'vbscript:'])

export const url: DataType = {
  ...text,
  findFault: (value, attribute, work) => {
    if (!isString(value)) return faultOf('type', 'must be a string')
    if (value === '') return undefined
    // The protocol as browsers read it: they pass over tabs and line ends inside, and control characters in front.
    const protocol = URL.parse(value)?.protocol
    if (protocol === undefined) return faultOf('type', 'must be an absolute URL')
    if (SCRIPT_PROTOCOLS.has(protocol)) return faultOf('type', 'must not be a script or data URL')
    return findTextFault(value, attribute.validation, work)
  },
}
