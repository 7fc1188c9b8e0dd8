// Amounts with a unit after them: `price`, `measurement`.
import type { UnitField } from '../../src/core/datatypes/data-type.ts'
import { signsOfLocale, showNumber, writeNumber } from './decimals.ts'
import { type Field, type FieldAttribute, misread, type Reading } from './field.ts'
import { readDecimal } from './numbers.ts'
import { own } from '../../src/kernel/own.ts'

type Amount = { readonly amount: number } & Readonly<Partial<Record<UnitField, string>>>

interface AmountKind {
  readonly unitField: UnitField
  readonly listed: (attribute: FieldAttribute) => readonly string[]
  /** Returns the fewest digits after the decimal sign. */
  readonly fraction: (unit: string) => number
  /** Returns the stored form of the unit. */
  readonly toUnit: (text: string, listed: readonly string[]) => string
}

const fractions = new Map<string, number>()

/** The usual digits of the currency: two for euro, none for yen. */
function fractionOf(currency: string): number {
  let fraction = fractions.get(currency)
  if (fraction === undefined) {
    fraction = /^[A-Z]{3}$/.test(currency)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
      : 2
    fractions.set(currency, fraction)
  }
  return fraction
}

const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' }

/** Finds the listed unit that differs only in upper and lower case. */
function fromList(text: string, listed: readonly string[]): string {
  return listed.includes(text) ? text : (listed.find((unit) => unit.toLowerCase() === text.toLowerCase()) ?? text)
}

function amountField({ unitField, listed, fraction, toUnit }: AmountKind): Field {
  const unitOf = (value: unknown): string => (value as Amount | undefined)?.[unitField] ?? ''
  const written = (value: unknown, number: string): string => `${number} ${unitOf(value)}`.trimEnd()
  return {
    editor: 'line',
    align: 'end',
    show: (value, { display }, { tag }) =>
      written(value, showNumber((value as Amount).amount, tag, display, fraction(unitOf(value)))),
    write: (value, _, { tag }) => written(value, writeNumber((value as Amount).amount, tag)),
    read: (text, attribute, { tag }, before) => {
      if (text.trim() === '') return { value: null }
      const parts = splitAmount(text, tag)
      if (parts === undefined) return misread(`must be a number and a ${unitField}`)
      const units = listed(attribute)
      const unit = parts.unit === '' ? unitOf(before) || (units[0] ?? '') : toUnit(parts.unit, units)
      if (unit === '') return misread(`must name a ${unitField}`, 'option')
      return withUnit(readDecimal(parts.number, tag), unitField, unit)
    },
  }
}

function withUnit(reading: Reading, unitField: UnitField, unit: string): Reading {
  return reading.code === undefined ? { value: { amount: reading.value, [unitField]: unit } } : reading
}

/** Splits a text into the number and the unit before or after it. */
function splitAmount(text: string, tag: string): { readonly number: string; readonly unit: string } | undefined {
  const { group } = signsOfLocale(tag)
  const spaces = /^\s$/.test(group) ? '(?:[\\u00A0\\u2009\\u202F ](?=\\d{3}(?!\\d)))?' : ''
  const number = `[+\\-\\u2212]?(?:[\\d.,'’]${spaces})*\\d(?:[eE][+-]?\\d+)?[.,]?`
  const [, before = '', digits, behind = ''] =
    new RegExp(`^\\s*([^\\d+\\-\\u2212.,]*)\\s*(${number})(?:\\s*(\\D.*))?$`, 'su').exec(text) ?? []
  if (digits === undefined || (before.trim() !== '' && behind.trim() !== '')) return undefined
  return { number: digits, unit: (before.trim() || behind.trim()).trim() }
}

export const price = amountField({
  unitField: 'currency',
  listed: ({ currencies }) => currencies,
  fraction: fractionOf,
  toUnit: (text) => own(SYMBOLS, text) ?? text.toUpperCase(),
})

export const measurement = amountField({
  unitField: 'unit',
  listed: ({ units }) => units,
  fraction: () => 0,
  toUnit: fromList,
})
