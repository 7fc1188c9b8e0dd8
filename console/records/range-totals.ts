// Count, sum and average of the numbers in the chosen cells. Pure.

interface RangeTotals {
  /** Cells with a value. */
  readonly filled: number
  /** Undefined: the cells have no numbers, or amounts of several units. */
  readonly numbers: { readonly count: number; readonly sum: number; readonly unit: string } | undefined
}

interface Amount {
  readonly amount: number
  readonly unit?: string
  readonly currency?: string
}

/** @param values of the cells; undefined and null: no value */
export function totalsOf(values: Iterable<unknown>): RangeTotals {
  let filled = 0
  const numbers: number[] = []
  const units = new Set<string>()
  for (const value of values) {
    if (value === undefined || value === null) continue
    filled += 1
    if (typeof value === 'number') numbers.push(value)
    else if (isAmount(value)) numbers.push(value.amount)
    else continue
    units.add(typeof value === 'number' ? '' : (value.unit ?? value.currency ?? ''))
  }
  if (numbers.length === 0 || units.size > 1) return { filled, numbers: undefined }
  return { filled, numbers: { count: numbers.length, sum: sumOf(numbers), unit: [...units][0]! } }
}

function isAmount(value: unknown): value is Amount {
  return typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'number'
}

/** Fifteen digits, so that 0.1 + 0.2 is 0.3. */
function sumOf(numbers: readonly number[]): number {
  return Number(numbers.reduce((sum, number) => sum + number, 0).toPrecision(15))
}
