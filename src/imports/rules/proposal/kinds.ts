// The kinds of columns that a file may propose, and the steps by which cells become values. Contract 5 §1.
import type { DataTypeName } from '../../../core/datatypes/data-types.ts'
import type { Step } from '../profile-steps.ts'

/** `integer`: a number without decimals. */
export const KINDS = [
  'text',
  'richText',
  'integer',
  'number',
  'boolean',
  'date',
  'dateTime',
  'select',
  'multiSelect',
  'measurement',
  'price',
  'url',
  'file',
  'categories',
] as const satisfies readonly (DataTypeName | 'integer' | 'categories')[]
export type Kind = (typeof KINDS)[number]
/** Without the categories of a record, which are no attribute. */
export type AttributeKind = Exclude<Kind, 'categories'>

/** The facts of a column that the steps depend on. */
interface Reading {
  /** The format of dates; null: ISO 8601. */
  readonly datePattern: string | null
  /** Separates the parts of a cell; null: nothing does. */
  readonly separator: string | null
  /** The unit or currency of amounts that have none; null: each has its own. */
  readonly unit: string | null
  /** Cells with the sign `>`, which joins the names of a path. */
  readonly arrows: number
}

const ARROW = String.raw`\s*>\s*`

const YES = 'true,yes,y,ja,j,oui,o,si,sí,s,wahr,vrai,vero,x,on,1'
const NO = 'false,no,n,nein,non,falsch,faux,falso,-,off,0'

/** Exact texts of cells → true or false, in the usual ways of writing capitals. */
export const TRUTH: Readonly<Record<string, 'true' | 'false'>> = Object.fromEntries([
  ...YES.split(',').flatMap((word) => spelled(word).map((text) => [text, 'true'] as const)),
  ...NO.split(',').flatMap((word) => spelled(word).map((text) => [text, 'false'] as const)),
])

function spelled(word: string): string[] {
  return [...new Set([word, word.toUpperCase(), `${word[0]!.toUpperCase()}${word.slice(1)}`])]
}

const trimmed = (): Step[] => ['trim']
const dated = ({ datePattern }: Reading): Step[] => (datePattern === null ? ['trim'] : ['trim', { date: datePattern }])
const measured = ({ unit }: Reading): Step[] => ['trim', 'number', ...(unit === null ? [] : [{ unit }])]

const STEPS: Readonly<Record<Kind, (reading: Reading) => Step[]>> = {
  text: trimmed,
  richText: trimmed,
  url: trimmed,
  select: trimmed,
  integer: () => ['trim', 'number'],
  number: () => ['trim', 'number'],
  measurement: measured,
  price: measured,
  boolean: () => ['trim', { map: { ...TRUTH } }],
  date: dated,
  dateTime: dated,
  multiSelect: ({ separator }) => [{ split: separator ?? '|' }],
  file: () => ['trim', 'fetch'],
  categories: ({ arrows }) => (arrows === 0 ? ['trim'] : ['trim', { replace: { find: ARROW, by: '/' } }]),
}

export function stepsOf(kind: Kind, reading: Reading): Step[] {
  return STEPS[kind](reading)
}
