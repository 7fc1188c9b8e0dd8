// The box of a chart with its axes, and the table with the same numbers.
import type { ComponentChildren } from 'preact'
import { t } from '../words/words.ts'
import { shortDay } from './short-day.ts'

interface PlotProps {
  readonly title: string
  readonly days: readonly string[]
  /** The upper end of the axis. */
  readonly top: string
  /** Shapes in a box of 100 by 100. */
  readonly children: ComponentChildren
}

export function Plot({ title, days, top, children }: PlotProps) {
  return (
    <div class="plot">
      <span class="quiet plot-top" aria-hidden="true">
        {top}
      </span>
      <svg role="img" aria-label={title} viewBox="0 0 100 100" preserveAspectRatio="none">
        {[0, 50, 100].map((y) => (
          <line key={y} class="grid-line" x1="0" y1={y} x2="100" y2={y} />
        ))}
        {children}
      </svg>
      <span class="quiet" aria-hidden="true">
        {shortDay(days[0]!)}
      </span>
      <span class="quiet plot-end" aria-hidden="true">
        {shortDay(days.at(-1)!)}
      </span>
    </div>
  )
}

interface ChartTableProps {
  readonly title: string
  readonly days: readonly string[]
  readonly columns: readonly { readonly name: string; readonly cells: readonly string[] }[]
}

/** The newest day first. */
export function ChartTable({ title, days, columns }: ChartTableProps) {
  return (
    <details>
      <summary>{t('home.asTable')}</summary>
      <div class="scroll chart-table">
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">UTC</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" dir="auto">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days
              .map((day, at) => (
                <tr key={day}>
                  <th scope="row">{shortDay(day)}</th>
                  {columns.map(({ name, cells }) => (
                    <td key={name}>{cells[at]}</td>
                  ))}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </div>
    </details>
  )
}
