// Bars of created, changed and published records by day, with the same numbers as a table.
import { number, t } from '../words/words.ts'
import { niceMaximum, round, type Throughput } from './chart-data.ts'
import { ChartTable, Plot } from './plot.tsx'
import { range } from './short-day.ts'

const PARTS = ['entered', 'created', 'updated'] as const
/** The share of a bar in the width of its day. */
const BAR = 0.7

export function Bars({ state, days }: { readonly state: string; readonly days: readonly Throughput[] }) {
  const names = { created: t('home.created'), updated: t('home.changes'), entered: `→ ${state}` }
  const top = niceMaximum(Math.max(...days.map((day) => day.created + day.updated + day.entered)))
  const dates = days.map(({ day }) => day)
  const title = t('home.work', { days: range(dates) })
  return (
    <section class="chart">
      <h2>{title}</h2>
      <Plot title={title} days={dates} top={number(top)}>
        {days.flatMap((day, at) => barOf(day, at, days.length, top))}
      </Plot>
      <ul class="legend">
        {PARTS.map((part) => (
          <li key={part}>
            <svg class="swatch" viewBox="0 0 16 4" aria-hidden="true">
              <rect class={`bar bar-${part} hue-0`} width="16" height="4" />
            </svg>
            <span dir="auto">{names[part]}</span>{' '}
            <strong>{number(days.reduce((sum, day) => sum + day[part], 0))}</strong>
          </li>
        ))}
      </ul>
      <ChartTable
        title={title}
        days={dates}
        columns={PARTS.map((part) => ({ name: names[part], cells: days.map((day) => number(day[part])) }))}
      />
    </section>
  )
}

/** The parts of one bar, from below, in a box of 100 by 100. */
function barOf(day: Throughput, at: number, count: number, top: number) {
  const width = 100 / count
  let height = 0
  return PARTS.filter((part) => day[part] > 0).map((part) => {
    const own = (100 * day[part]) / top
    height += own
    const place = { x: round(at * width + (width * (1 - BAR)) / 2), y: round(100 - height) }
    return (
      <rect
        key={`${day.day} ${part}`}
        class={`bar bar-${part} hue-0`}
        {...place}
        width={round(width * BAR)}
        height={round(own)}
      />
    )
  })
}
