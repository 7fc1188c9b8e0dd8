// Rows of two figures of one round each, and the median of their ratios.
import { median } from '../statistics.ts'
import { type Row } from '../table.ts'

/** What one round gave on each side. */
export interface Round {
  readonly postgres: number
  /** Of SQLite, or of what the name says. */
  readonly reference: number
}

export interface RatioOptions {
  readonly name: string
  readonly rounds: readonly Round[]
  readonly unit: (value: number) => string
  /** The ratio has to be so much at least, or (`atMost`) at most. */
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
