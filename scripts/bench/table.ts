// Writes measurements as a table in Markdown.

export interface Row {
  readonly name: string
  /** The figure of pimlet, with its unit. */
  readonly pimlet: string
  readonly reference?: string
  readonly ratio?: number
  /** The condition of the bar, in words. */
  readonly bar?: string
  /** Undefined: a row without a bar. */
  readonly isHeld?: boolean
}

export function renderTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.name,
    row.pimlet,
    row.reference ?? '',
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.bar ?? '',
    row.isHeld === undefined ? '' : row.isHeld ? 'held' : '**MISSED**',
  ])
  const all = [
    ['what', 'pimlet', 'reference', 'ratio', 'bar', ''],
    ['---', '---', '---', '---', '---', '---'],
    ...lines,
  ]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en-US')}/s`
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}

export function microseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} µs`
}
