// The steps that convert a cell of an import before it is read, in their order. Contract 3 §4.
import * as v from 'valibot'
import { readDate, repeatsLoosePart } from './date-pattern.ts'
import { optionsOf } from './option-names.ts'
import { type RowWork, StepFault } from './row-work.ts'
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import { fromComma, type NumberStyle, withDot, withoutGroups } from '../../core/csv/source-dialect.ts'
import { partsOfCell, TOO_MANY_PARTS } from '../../core/datatypes/data-type.ts'
import { parseNumber } from '../../core/datatypes/numbers.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { replaceMatches } from '../../core/values/patterns.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { choiceOf, listOf, Name, TextMapInput, textUpTo, type OutputOf } from '../../kernel/input/validation.ts'
import { isHeld } from '../../kernel/json/lost-numbers.ts'
import { own } from '../../kernel/own.ts'

const MAX_STEPS = 10
/** Columns that one step joins. */
const MAX_JOINED = 20

/** The header of a column of a file. */
export const Header = v.pipe(
  v.string('must be a string'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(1000, 'must be at most 1000 characters long'),
)

const TextMap = v.pipe(TextMapInput, v.description('Maps the text of a cell to another text. Other texts stay.'))

/** The import fetches the file at an address, or finds an uploaded file by its name. */
export const FILE_STEPS = ['fetch', 'fileName'] as const
export type FileStep = (typeof FILE_STEPS)[number]
const NAMED_STEPS = ['trim', 'decimalComma', 'number', 'optionName', ...FILE_STEPS] as const

const DatePattern = v.pipe(
  textUpTo(40),
  v.check(
    (pattern) => /y/.test(pattern) && /M/.test(pattern) && /d/.test(pattern),
    'must have a year, a month and a day, such as dd.MM.yyyy',
  ),
  v.check((pattern) => !repeatsLoosePart(pattern), 'must have each of M, d and H once at most'),
  v.description('The format of dates: yyyy or yy, MM or M, dd or d, HH or H, mm, ss; other characters as they are.'),
)

const Replacing = exactObject({
  find: v.pipe(
    textUpTo(1000),
    v.minLength(1, 'must not be empty'),
    v.description('A regular expression (RE2). Each match is replaced.'),
  ),
  by: v.optional(
    v.pipe(textUpTo(1000), v.description('The replacement. $1 is the first group, $0 the match, $$ a dollar sign.')),
    '',
  ),
})

const Joining = exactObject({
  headers: v.pipe(listOf(Header, MAX_JOINED), v.minLength(1, 'must name a column')),
  separator: v.optional(v.pipe(textUpTo(100), v.description('Stands between two cells. Default: a space.')), ' '),
})

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
  replace: exactObject({ replace: Replacing }),
  unit: exactObject({ unit: v.pipe(Name, v.description('The unit or currency of an amount that has none.')) }),
  join: exactObject({
    join: v.pipe(Joining, v.description('Adds the cells of other columns. Empty cells add nothing.')),
  }),
}
const SHAPE_NAMES = Object.keys(STEP_SHAPES)
  .join(', ')
  .replace(/, (?=\w+$)/, ' or ')
const NamedStep = v.picklist(NAMED_STEPS, `must be one of ${NAMED_STEPS.join(', ')}, or an object with ${SHAPE_NAMES}`)
const shapes = [
  STEP_SHAPES.date,
  STEP_SHAPES.split,
  STEP_SHAPES.map,
  STEP_SHAPES.default,
  STEP_SHAPES.replace,
  STEP_SHAPES.unit,
  STEP_SHAPES.join,
] as const

const StepInput = choiceOf([NamedStep, ...shapes], (input) => {
  const isObject = typeof input === 'object' && input !== null
  const found = Object.entries(STEP_SHAPES).find(([name]) => isObject && Object.hasOwn(input, name))
  return found?.[1] ?? NamedStep
})
export type Step = OutputOf<typeof StepInput>

export const StepsInput = listOf(StepInput, MAX_STEPS)

interface StepContext {
  readonly attribute: Attribute | undefined
  /** How the file writes numbers. */
  readonly numbers: NumberStyle
  /** The index of the column with a header. @throws VALIDATION_ERROR */
  readonly columnOf: (header: string) => number
}

/** A row, and the work that its steps may still do. */
interface StepRow {
  readonly cells: readonly CsvCell[]
  readonly work: RowWork
}

/** Prepares the steps and the tables in which they look up values. The result throws StepFault. */
export function compileSteps(steps: readonly Step[], context: StepContext): (cell: CsvCell, row: StepRow) => CsvCell {
  const works = steps.map((step) => compileStep(step, context))
  return (cell, row) => {
    let value: Value = cell === '' ? null : cell
    for (const work of works) value = work(value, row)
    if (Array.isArray(value)) return value.length === 0 ? null : value.join('|')
    return value === '' ? null : value
  }
}

type Value = CsvCell | string[]
type Work = (value: Value, row: StepRow) => Value

function compileStep(step: Step, context: StepContext): Work {
  const { attribute, numbers } = context
  if (step === 'trim') return onTexts((part) => part.trim())
  if (step === 'decimalComma') return onText((text) => toNumber(fromComma(text)) ?? text)
  if (step === 'number') return onText((text) => toNumber(numbers === 'comma' ? withDot(text) : grouped(text)) ?? text)
  // Files are fetched and found when all cells of a row are read.
  if (step === 'fetch' || step === 'fileName') return (value) => value
  if (step === 'optionName') return onTexts(optionFinder(attribute))
  if ('date' in step) return onText((part) => fitted(readDate(part.trim(), step.date), attribute) ?? part)
  if ('map' in step) {
    const { map } = step
    const work = onTexts((part) => own(map, part) ?? part)
    return (value, row) => work(value === null && Object.hasOwn(map, '') ? '' : value, row)
  }
  if ('default' in step) return (value) => (isEmpty(value) ? step.default : value)
  if ('replace' in step) return onTexts((part, row) => replaceIn(part, step.replace, row))
  if ('join' in step) return joiner(step.join, context)
  // The style of the column has the unit, since a number has none.
  if ('unit' in step) return (value) => value
  return onText((text) => textsOf(text, step.split))
}

/** The parts of a cell that are not blank. @throws StepFault for too many parts */
export function textsOf(text: string, separator: string): string[] {
  const parts = partsOfCell(text, separator)
  if (parts === undefined) throw new StepFault(TOO_MANY_PARTS)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** An attribute with a time gets midnight for a day, as in a spreadsheet; one without a time gets the day of a moment. */
function fitted(moment: string | undefined, attribute: Attribute | undefined): string | undefined {
  const day = moment?.slice(0, 10)
  if (attribute?.dataType === 'date') return day
  return day !== undefined && moment === day && attribute?.dataType === 'dateTime' ? `${day}T00:00:00.000Z` : moment
}

const REFERENCE = /\$([$0-9])/g

/** The groups that a replacement names. */
export function groupsOf(replacement: string): number[] {
  return [...replacement.matchAll(REFERENCE)].flatMap(([, sign]) => (sign === '$' ? [] : Number(sign)))
}

function replaceIn(
  text: string,
  { find, by }: { readonly find: string; readonly by: string },
  { work }: StepRow,
): string {
  const expand = (groupOf: (index: number) => string): string => {
    const put = by.replace(REFERENCE, (_all, sign: string) => (sign === '$' ? '$' : groupOf(Number(sign))))
    work.addText(put.length)
    return put
  }
  const replaced = replaceMatches(find, text, expand, work.patterns)
  if (replaced === undefined) throw new StepFault('is too long for the steps that replace text')
  return replaced
}

function joiner(
  { headers, separator }: { readonly headers: readonly string[]; readonly separator: string },
  { columnOf }: StepContext,
): Work {
  const indices = headers.map(columnOf)
  return (value, { cells, work }) => {
    const own = Array.isArray(value) ? value.join('|') : value
    const filled = [own, ...indices.map((index) => cells[index] ?? null)].filter((cell) => !isEmpty(cell)).map(String)
    // One cell alone may be a number.
    if (filled.length < 2 && !isEmpty(own)) return value
    work.addText(filled.reduce((sum, { length }) => sum + length + separator.length, 0))
    return filled.join(separator)
  }
}

function isEmpty(value: Value): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Leaves numbers alone: spreadsheets have them as numbers already. */
function onText(work: (text: string) => Value): Work {
  return (value) => (typeof value === 'string' ? work(value) : value)
}

/** Also applies to each part of a split text, and to the text of a number. */
function onTexts(work: (text: string, row: StepRow) => string): Work {
  return (value, row) => {
    if (Array.isArray(value)) return value.map((part) => work(part, row)).filter((part) => part !== '')
    if (value === null) return null
    if (typeof value === 'string') return work(value, row)
    const worked = work(String(value), row)
    return worked === String(value) ? value : worked
  }
}

/** A number that cannot be held stays text, and fails later with its own message. */
function toNumber(text: string | undefined): number | undefined {
  const number = text === undefined ? undefined : parseNumber(text)
  return number !== undefined && isHeld(text!) ? number : undefined
}

function grouped(text: string): string {
  return withoutGroups(text) ?? text.trim()
}

function optionFinder(attribute: Attribute | undefined): (text: string) => string {
  const names = attribute && optionsOf(attribute)
  return (text) => names?.find(text) ?? text
}
