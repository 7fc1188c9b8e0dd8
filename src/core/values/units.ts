// Units of measurements, and the way from one to another. Home of convert.
import { convert, getMeasureKind, type MeasureKind, type Unit } from 'convert'

/** Digits that a conversion is exact to: binary fractions differ behind them. */
const DIGITS = 12

export function isKnownUnit(unit: string): boolean {
  return kindOf(unit) !== undefined
}

function kindOf(unit: string): MeasureKind | undefined {
  return getMeasureKind(unit as Unit)
}

/** Whether an amount in one unit has one in the other. */
export function isConvertible(from: string, to: string): boolean {
  return from === to || (kindOf(from) !== undefined && kindOf(from) === kindOf(to))
}

/** The amount in another unit; undefined: the units measure different things, or one is unknown. */
export function convertAmount(amount: number, from: string, to: string): number | undefined {
  if (from === to) return amount
  if (!isConvertible(from, to)) return undefined
  return Number(
    convert(amount, from as Unit)
      .to(to as Unit)
      .toPrecision(DIGITS),
  )
}
