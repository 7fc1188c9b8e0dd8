// Rows that compare two figures of each round, with the median of their ratios.
import { median } from '../statistics.ts'
import { type Row } from '../table.ts'

/** The figures of one round. */
export interface Round {
  readonly postgres: number
  /** The figure of SQLite, or of the reference that the name gives. */
  readonly reference: number
}

export interface RatioOptions {
  readonly name: string
  readonly rounds: readonly Round[]
  readonly unit: (value: number) => string
  /** Least ratio, or with `atMost` the greatest. */
  readonly atLeast?: number
  readonly atMost?: number
}

export function ratioRow({ name, rounds, unit, atLeast, atMost }: RatioOptions): Row {
  const ratio = median(rounds.map(({ postgres, reference }) => postgres / reference))
  const row = {
    name: `PostgreSQL: ${name}`,
    pimlet: unit(median(rounds.map(({ postgres }) => postgres))),
    reference: unit(median(rounds.map(({ reference }) => reference))),
    ratio,
  }
  if (atLeast !== undefined) return { ...row, bar: `≥ ${atLeast}`, isHeld: ratio >= atLeast }
  return atMost === undefined ? row : { ...row, bar: `≤ ${atMost} ×`, isHeld: ratio <= atMost }
}
