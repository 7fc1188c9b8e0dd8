// Amounts that stand beside their unit or currency in one cell, as `2,5 kg` and `€ 9`. Contract 3 §4.

const SIGNS = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
])
/** One number, perhaps with signs between its thousands. */
const NUMBER = /^[+-]?[\d.,\u00a0\u202f ']*\d$/

/**
 * Splits a cell into its number and its unit, each as it is written. Undefined: the cell has no unit, or is no amount.
 * @param known units of the attribute: a unit that ends in a digit, as m2, must be known
 */
export function splitAmount(cell: string, known: readonly string[] = []): [amount: string, unit: string] | undefined {
  const text = cell.trim()
  const ending = endingOf(text, known)
  const body = text.slice(0, text.length - ending.length)
  // Each search takes one pass, because a cell can be as long as a line.
  const from = body.search(/[\d+-]|[.,]\d/)
  const to = body.search(/\d\D*$/) + 1
  if (from === -1 || !NUMBER.test(body.slice(from, to))) return undefined
  const unit = `${body.slice(0, from)}${body.slice(to)}${ending}`.trim()
  return unit === '' ? undefined : [body.slice(from, to), SIGNS.get(unit) ?? unit]
}

/** The longest unit at the end of a text. A unit that begins with a digit would take digits of the amount. */
function endingOf(text: string, known: readonly string[]): string {
  const endings = known.filter((unit) => text.endsWith(unit) && /^\D/.test(unit))
  return endings.reduce((longest, unit) => (unit.length > longest.length ? unit : longest), '')
}
