// The parts of templates of composed columns. `template-reader.ts` reads templates, `template-values.ts` fills them.
import { type Scope, scopeKey } from '../../../core/scopes/scope.ts'
import type { StepName } from './template-steps.ts'

/** Fields of a record that columns and templates may name. */
export const COLUMN_FIELDS = [
  'id',
  'schemaId',
  'parentId',
  'lifecycleStateId',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
] as const
export type ColumnField = (typeof COLUMN_FIELDS)[number]

export interface AttributeSource {
  readonly kind: 'attribute'
  readonly alias: string
  /** Whether the value is that of the record's parent. */
  readonly isOfParent: boolean
  /** undefined: the scope of the file. */
  readonly scope: Scope | undefined
  readonly part: string | undefined
}

/** Where a piece takes its value from. */
export type Source =
  | AttributeSource
  | { readonly kind: 'field'; readonly field: ColumnField }
  | { readonly kind: 'categoryPath'; readonly catalogId: string }

export interface Step {
  readonly name: StepName
  readonly argument: string | ReadonlyMap<string, string> | undefined
  /** The index of its argument. */
  readonly at: number
}

/** Where something is in the text of a template: indexes, the end not included. */
interface Place {
  readonly from: number
  readonly to: number
}

export interface Piece {
  readonly source: Source
  readonly steps: readonly Step[]
  /** The place of the source's name. */
  readonly place: Place
}

/** Texts and pieces, in their order. No two texts follow one another. */
export type Template = readonly (string | Piece)[]

/** The template as text, in its shortest form. */
export function printTemplate(template: Template): string {
  return template.map((part) => (typeof part === 'string' ? doubled(part) : printPiece(part))).join('')
}

function doubled(text: string): string {
  return text.replaceAll(/[{}]/g, (brace) => brace + brace)
}

function printPiece({ source, steps }: Piece): string {
  return `{${[printSource(source), ...steps.map(printStep)].join('|')}}`
}

function printSource(source: Source): string {
  if (source.kind === 'field') return source.field
  if (source.kind === 'categoryPath') return `categoryPath:${source.catalogId}`
  const { scope, part } = source
  return (
    printName(source) + (scope === undefined ? '' : `[${scopeKey(scope)}]`) + (part === undefined ? '' : `.${part}`)
  )
}

/** `values.` stands before an alias that means something else by itself. */
export function printName({ alias, isOfParent, part }: AttributeSource): string {
  if (isOfParent) return `parent.${alias}`
  const isTaken = COLUMN_FIELDS.some((field) => field === alias) || (isPrefix(alias) && part !== undefined)
  return isTaken ? `values.${alias}` : alias
}

/** Whether a dot behind the name belongs to the name. */
export function isPrefix(name: string): boolean {
  return name === 'parent' || name === 'values'
}

function printStep({ name, argument }: Step): string {
  if (argument === undefined) return name
  if (typeof argument === 'string') return `${name}:${printText(argument, BARE)}`
  const pairs = [...argument].map(([from, to]) => `${printText(from, BARE_IN_MAP)}:${printText(to, BARE_IN_MAP)}`)
  return `${name}:{${pairs.join(',')}}`
}

/** Texts that need no quotes. */
const BARE = /^[^\s"{|}](?:[^{|}]*[^\s{|}])?$/
const BARE_IN_MAP = /^[^\s",:{|}](?:[^,:{|}]*[^\s,:{|}])?$/

function printText(text: string, bare: RegExp): string {
  return bare.test(text) ? text : JSON.stringify(text)
}
