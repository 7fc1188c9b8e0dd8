// Finds the decimal sign of a csv by the cells of its number columns. Contract 3 §4.
import { dataTypeOf } from '../datatypes/data-types.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { FIXED_FIELDS } from '../records/rules/exported-record.ts'
import type { Schema } from '../model/rules/model.ts'
import type { CsvCell } from './csv-cell.ts'
import type { CsvHeader, ValueColumn } from './csv-header.ts'
import { type Decimal, type Delimiter, isEither, isGroupedBy } from './source-dialect.ts'

/** Longer cells are no numbers. */
const MAX_LENGTH = 30
/**
 * Three digits behind the only sign may be a group of thousands. They are none if 0, or more digits than a group has, come
 * before the sign.
 */
const WITH_COMMA = /^[+-]?(?:\d{1,3}(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,})|(?:0\d*|\d{4,}),\d{3})$/
const WITH_DOT = /^[+-]?(?:\d{1,3}(?:,\d{3})+\.\d+|\d+\.(?:\d{1,2}|\d{4,})|(?:0\d*|\d{4,})\.\d{3})$/
/** Text beside an amount: `2,5 kg`, `€ 9,50`. Escaped, since the bundle is ASCII and esbuild escapes no pattern. */
const UNIT = /^(?:[\u20ac$\xa3]|[A-Z]{3})\s*|\s*(?:[\u20ac$\xa3%]|[a-z\xb5]{1,8}[\xb2\xb3]?)$/gi

type Evidence = Decimal | 'either' | undefined

function evidenceOf(written: string): Evidence {
  if (WITH_COMMA.test(written) || isGroupedBy('.', written)) return ','
  if (WITH_DOT.test(written) || isGroupedBy(',', written)) return '.'
  return isEither(written) ? 'either' : undefined
}

interface EitherNumber {
  /** Index of the cell. */
  readonly cell: number
  readonly text: string
}

/** Each column has one vote: the style of most of its cells. Numbers with a unit count where no other numbers vote. */
export class DecimalVotes {
  readonly #delimiter: Delimiter
  readonly #plain: number[] = []
  readonly #withUnit: number[] = []
  #either: EitherNumber | undefined

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter
  }

  /** The first number that can be read with either sign. */
  get either(): EitherNumber | undefined {
    return this.#either
  }

  /** @param indexes of the cells that count */
  add(row: readonly CsvCell[], indexes: Iterable<number> = row.keys()): void {
    for (const index of indexes) {
      const cell = row[index]
      if (typeof cell !== 'string' || cell === '' || cell.length > MAX_LENGTH) continue
      const text = cell.trim()
      const plain = evidenceOf(text)
      const evidence = plain ?? evidenceOf(text.replaceAll(UNIT, ''))
      if (evidence === undefined) continue
      if (evidence === 'either') this.#either ??= { cell: index, text }
      else vote(plain === undefined ? this.#withUnit : this.#plain, index, evidence)
    }
  }

  /** undefined: nothing decides. */
  get decided(): Decimal | undefined {
    return this.#count(this.#plain) ?? this.#count(this.#withUnit)
  }

  #count(votes: readonly number[]): Decimal | undefined {
    const columns = (sign: number): number => votes.filter((vote) => Math.sign(vote) === sign).length
    const [commas, dots] = [columns(1), columns(-1)]
    if (commas + dots === 0) return undefined
    // Where commas separate cells, numbers mostly have dots.
    return commas > (this.#delimiter === ',' ? 2 * dots : dots) ? ',' : '.'
  }
}

function vote(votes: number[], index: number, evidence: Decimal): void {
  votes[index] = (votes[index] ?? 0) + (evidence === ',' ? 1 : -1)
}

/** The columns whose numbers are written as the file has them. */
export function numberColumns({ values }: CsvHeader, schemas: readonly Schema[]): ValueColumn[] {
  const isNumber = (alias: string): boolean =>
    schemas.some((schema) => {
      const attribute = schema.attribute(alias)
      return attribute !== undefined && dataTypeOf(attribute).order === 'number'
    })
  return values.filter(({ alias, style }) => style?.numbers !== 'comma' && isNumber(alias))
}

/**
 * The sign that the number columns have; undefined: they say nothing.
 * @throws VALIDATION_ERROR where it can be either, and that matters
 */
export function settleDecimal(
  votes: DecimalVotes,
  header: CsvHeader,
  columns: readonly ValueColumn[],
): Decimal | undefined {
  const { decided, either } = votes
  if (decided !== undefined || either === undefined) return decided
  // An export groups no thousands.
  if (isOwnExport(header)) return either.text.includes(',') ? ',' : '.'
  const name = columns.find(({ cell }) => cell === either.cell)?.name ?? ''
  throw invalid(`The column '${shorten(name)}' has ${describeEither(either.text)}: say by decimal=, or decimal=.`)
}

function describeEither(text: string): string {
  const digits = text.replace(/[.,]/, '')
  return `'${shorten(text)}', which can be ${digits} or ${text.replace(',', '.').replace(/0+$/, '')}`
}

function isOwnExport({ fixed, mapped }: CsvHeader): boolean {
  return mapped === undefined && FIXED_FIELDS.every((field) => fixed.has(field))
}
