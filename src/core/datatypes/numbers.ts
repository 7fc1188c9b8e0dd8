// Numbers, and amounts of something.
import { isCurrency, NO_CURRENCY } from '../values/currencies.ts'
import { holdsText } from '../../kernel/found-by-id.ts'
import { isHeld, LostNumber } from '../../kernel/json/lost-numbers.ts'
import { findNumberFault, type ValueRules } from '../values/rules.ts'
import { faultOf } from '../values/value-fault.ts'
import { type DataType, isString, singleValue, type TextReading, type UnitField, unitOf } from './data-type.ts'

const NUMBER_PATTERN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** The finite number that `text` writes in decimal notation, or undefined. */
export function parseNumber(text: string): number | undefined {
  if (!NUMBER_PATTERN.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number + 0 : undefined
}

function readNumber(text: string): TextReading {
  const written = text.trim()
  const number = parseNumber(written)
  if (number === undefined) return { problem: 'must be a number, written as 1234.5' }
  return isHeld(written) ? { value: number } : { problem: new LostNumber(written).problem }
}

export const number: DataType = {
  ...singleValue,
  form: 'a number',
  findFault: (value, attribute) => findNumberFault(value, attribute.validation),
  isEmpty: () => false,
  equalityKeys: (value) => [value as number],
  parseKey: parseNumber,
  order: 'number',
  fromCell: readNumber,
  mayBeEmptyText: false,
}

/** Units in a message. */
const MAX_TOLD_UNITS = 10

/** A list of units for a message. */
export function toldUnits(units: readonly string[]): string {
  const more = units.length - MAX_TOLD_UNITS
  return `${units.slice(0, MAX_TOLD_UNITS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** `{ amount, <unit field> }`, compared by amount. */
function amount(
  unitField: UnitField,
  listUnits: (attribute: ValueRules) => readonly string[],
  findUnitFault: (unit: string) => string | undefined,
): DataType {
  const shape = faultOf('type', `must be { amount: number, ${unitField}: string }`)
  const lacksUnit = (attribute: ValueRules): string => {
    const listed = listUnits(attribute)
    if (listed.length > 0) return `needs a ${unitField}: ${toldUnits(listed)}`
    return unitField === 'currency' ? 'needs a currency of ISO 4217' : 'needs a unit'
  }
  return {
    ...number,
    form: `\`{ amount, ${unitField} }\``,
    findFault: (value, attribute) => {
      if (typeof value === 'number') return faultOf('type', `${lacksUnit(attribute)}, as in { amount, ${unitField} }`)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return shape
      const { amount, [unitField]: unit } = value as { amount?: unknown; currency?: unknown; unit?: unknown }
      if (!isString(unit)) return shape
      const fault = findNumberFault(amount, attribute.validation)
      if (fault !== undefined) return faultOf(fault.code, `amount ${fault.problem}`)
      if (unit === '') return faultOf('option', lacksUnit(attribute))
      const listed = listUnits(attribute)
      const isListed = listed.length === 0 || holdsText(listed, unit)
      return faultOf(
        'option',
        findUnitFault(unit) ?? (isListed ? undefined : `${unitField} must be one of ${toldUnits(listed)}`),
      )
    },
    withoutUnknownFields: (value) => {
      const known = Object.entries(value as object).filter(([key]) => key === 'amount' || key === unitField)
      return Object.fromEntries(known)
    },
    choices: {
      noun: unitField,
      list: listUnits,
      isOpenWhenEmpty: true,
      named: (value) => [unitOf(value, unitField)],
      keep: () => undefined,
    },
    equalityKeys: (value) => [(value as { amount: number }).amount],
    toCell: (value) => (value as { amount: number }).amount,
    fromCell: (text, unit) => {
      const reading = readNumber(text)
      return reading.problem === undefined ? { value: { amount: reading.value, [unitField]: unit } } : reading
    },
    unitField,
  }
}

export const price = amount(
  'currency',
  ({ currencies }) => currencies,
  (currency) => (isCurrency(currency) ? undefined : `currency ${NO_CURRENCY}`),
)

export const measurement = amount(
  'unit',
  ({ units }) => units,
  (unit) => (unit === '' || unit.length > 100 ? 'unit must be 1 to 100 characters long' : undefined),
)
