// The steps that convert a cell of an import before it is read, in their order. Contract 3 §4.
import * as v from 'valibot'
import { readDate } from './date-pattern.ts'
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import { fromComma } from '../../core/csv/source-dialect.ts'
import { parseNumber } from '../../core/datatypes/numbers.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { choiceOf, listOf, TextMapInput, textUpTo } from '../../kernel/input/validation.ts'
import { isHeld } from '../../kernel/json/lost-numbers.ts'
import { own } from '../../kernel/own.ts'
import { normalForm } from '../../kernel/text.ts'

const MAX_STEPS = 10

const TextMap = v.pipe(TextMapInput, v.description('Maps the text of a cell to another text. Other texts stay.'))

const NAMED_STEPS = ['trim', 'decimalComma', 'optionName'] as const

const DatePattern = v.pipe(
  textUpTo(40),
  v.check(
    (pattern) => /y/.test(pattern) && /M/.test(pattern) && /d/.test(pattern),
    'must have a year, a month and a day, such as dd.MM.yyyy',
  ),
  v.description('The format of dates: yyyy or yy, MM or M, dd or d, HH or H, mm, ss; other characters as they are.'),
)

/** Each step has exactly one member. */
export const STEP_SHAPES = {
  date: exactObject({ date: DatePattern }),
  split: exactObject({
    split: v.pipe(
      textUpTo(10),
      v.minLength(1, 'must not be empty'),
      v.description('Separates the parts of a multiSelect.'),
    ),
  }),
  map: exactObject({ map: TextMap }),
  default: exactObject({ default: v.pipe(textUpTo(10_000), v.description('The value of an empty cell.')) }),
}
const NamedStep = v.picklist(
  NAMED_STEPS,
  `must be one of ${NAMED_STEPS.join(', ')}, or an object with date, split, map or default`,
)
const shapes = [STEP_SHAPES.date, STEP_SHAPES.split, STEP_SHAPES.map, STEP_SHAPES.default] as const

const StepInput = choiceOf([NamedStep, ...shapes], (input) => {
  const isObject = typeof input === 'object' && input !== null
  const found = Object.entries(STEP_SHAPES).find(([name]) => isObject && Object.hasOwn(input, name))
  return found?.[1] ?? NamedStep
})
export type Step =
  | (typeof NAMED_STEPS)[number]
  | { readonly date: string }
  | { readonly split: string }
  | { readonly map: Readonly<Record<string, string>> }
  | { readonly default: string }

export const StepsInput = listOf(StepInput, MAX_STEPS)

/** Prepares the steps and the tables in which they look up values. */
export function compileSteps(steps: readonly Step[], attribute: Attribute | undefined): (cell: CsvCell) => CsvCell {
  const works = steps.map((step) => compileStep(step, attribute))
  return (cell) => {
    let value: Value = cell === '' ? null : cell
    for (const work of works) value = work(value)
    if (Array.isArray(value)) return value.length === 0 ? null : value.join('|')
    return value === '' ? null : value
  }
}

type Value = CsvCell | string[]
type Work = (value: Value) => Value

function compileStep(step: Step, attribute: Attribute | undefined): Work {
  if (step === 'trim') return onTexts((part) => part.trim())
  if (step === 'decimalComma') return onText(readDecimalComma)
  if (step === 'optionName') return onTexts(optionFinder(attribute))
  if ('date' in step) return onText((part) => fitted(readDate(part.trim(), step.date), attribute) ?? part)
  if ('map' in step) {
    const { map } = step
    const work = onTexts((part) => own(map, part) ?? part)
    return (value) => work(value === null && Object.hasOwn(map, '') ? '' : value)
  }
  if ('default' in step) return (value) => (isEmpty(value) ? step.default : value)
  return onText((part) =>
    part
      .split(step.split)
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
}

/**
 * An attribute with a time gets midnight for a day, as in a spreadsheet; one without a time gets the day of a moment.
 */
function fitted(moment: string | undefined, attribute: Attribute | undefined): string | undefined {
  const day = moment?.slice(0, 10)
  if (attribute?.dataType === 'date') return day
  return day !== undefined && moment === day && attribute?.dataType === 'dateTime' ? `${day}T00:00:00.000Z` : moment
}

function isEmpty(value: Value): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Leaves numbers alone: spreadsheets have them as numbers already. */
function onText(work: (text: string) => Value): Work {
  return (value) => (typeof value === 'string' ? work(value) : value)
}

/** Also applies to each part of a split text, and to the text of a number. */
function onTexts(work: (text: string) => string): Work {
  return (value) => {
    if (Array.isArray(value)) return value.map(work).filter((part) => part !== '')
    if (value === null) return null
    if (typeof value === 'string') return work(value)
    const worked = work(String(value))
    return worked === String(value) ? value : worked
  }
}

/** Returns a number where possible. A number that cannot be held stays text, and fails later with its own message. */
function readDecimalComma(text: string): CsvCell {
  const dotted = fromComma(text)
  const number = dotted === undefined ? undefined : parseNumber(dotted)
  return number !== undefined && isHeld(dotted!) ? number : text
}

function optionFinder(attribute: Attribute | undefined): (text: string) => string {
  const byName = new Map<string, string>()
  for (const { id, name, names } of attribute?.options ?? [])
    for (const known of [...Object.values(names ?? {}), name]) if (known) byName.set(foldName(known), id)
  const ids = new Set(attribute?.options.map(({ id }) => id))
  return (text) => (ids.has(text) ? text : (byName.get(foldName(text)) ?? text))
}

function foldName(name: string): string {
  return normalForm(name, 'NFC').trim().toLowerCase()
}
