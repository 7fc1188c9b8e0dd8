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

export function stepsOf(kind: Kind, { datePattern, separator, unit, arrows }: Reading): Step[] {
  switch (kind) {
    case 'text':
    case 'richText':
    case 'url':
    case 'select':
      return ['trim']
    case 'integer':
    case 'number':
      return ['trim', 'number']
    case 'measurement':
    case 'price':
      return unit === null ? ['trim', 'number'] : ['trim', 'number', { unit }]
    case 'boolean':
      return ['trim', { map: { ...TRUTH } }]
    case 'date':
    case 'dateTime':
      return datePattern === null ? ['trim'] : ['trim', { date: datePattern }]
    case 'multiSelect':
      return [{ split: separator ?? '|' }]
    case 'file':
      return ['trim', 'fetch']
    case 'categories':
      return arrows === 0 ? ['trim'] : ['trim', { replace: { find: ARROW, by: '/' } }]
  }
}
