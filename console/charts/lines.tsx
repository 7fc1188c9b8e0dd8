// Completeness over time: a line for each scope, and the same numbers as a table.
import { useConsole } from '../state/context.ts'
import { percent, t } from '../words/words.ts'
import { type Completeness, piecesOf } from './chart-data.ts'
import { ChartTable, Plot } from './plot.tsx'
import { range } from './short-day.ts'
import { MAX_LINES, type ScopeChoice } from './shown-scopes.ts'
import { Checkbox } from '../kit/field.tsx'
import { PopoverButton } from '../kit/popover.tsx'

interface LinesProps {
  readonly state: string
  readonly completeness: Completeness
  readonly choice: ScopeChoice
}

export function Lines({ state, completeness, choice }: LinesProps) {
  const { model } = useConsole()
  const { days, lines } = completeness
  const named = lines.map(({ scope, points }) => ({ name: model.scopeName(scope) || t('all'), points }))
  const title = `${t('home.complete', { state })}, ${range(days)}`
  return (
    <section class="chart">
      <div class="chart-head">
        <h2>{title}</h2>
        <ScopeChoiceButton choice={choice} />
      </div>
      <Plot title={title} days={days} top={percent(100)}>
        {named.flatMap(({ points }, at) =>
          piecesOf(points).map((piece) =>
            piece.includes(' ') ? (
              <polyline key={`${at} ${piece}`} class={`line hue-${at}`} points={piece} />
            ) : (
              // A day between two gaps.
              <line key={`${at} ${piece}`} class={`line hue-${at}`} {...dotAt(piece)} />
            ),
          ),
        )}
      </Plot>
      <ul class="legend">
        {named.map(({ name, points }, at) => (
          <li key={name}>
            <svg class="swatch" viewBox="0 0 16 4" aria-hidden="true">
              <line class={`line hue-${at}`} x1="0" y1="2" x2="16" y2="2" />
            </svg>
            <span dir="auto">{name}</span> <strong>{percent(points.at(-1) ?? 0)}</strong>
          </li>
        ))}
      </ul>
      <ChartTable
        title={title}
        days={days}
        columns={named.map(({ name, points }) => ({
          name,
          cells: points.map((point) => (point === null ? '–' : percent(point))),
        }))}
      />
    </section>
  )
}

/** Returns a line of no length, which round ends make visible. */
function dotAt(point: string) {
  const [x, y] = point.split(',')
  return { x1: x, y1: y, x2: x, y2: y }
}

/** The button to choose scopes; empty: the person has no choice. */
function ScopeChoiceButton({ choice }: { readonly choice: ScopeChoice }) {
  const { model } = useConsole()
  const { all, shown, toggle } = choice
  if (all.length < 2) return null
  return (
    <PopoverButton
      label={t('home.scopes')}
      kind="quiet"
      icon="filter"
      face={t('home.scopesShown', { shown: shown.length, total: all.length })}
    >
      {() => (
        <div class="chooser">
          <p class="hint">{t('home.scopesHelp', { most: MAX_LINES })}</p>
          <div class="chooser-list">
            {all.map(({ key, scope }) => (
              <Checkbox
                key={key}
                label={<span dir="auto">{model.scopeName(scope)}</span>}
                isChecked={shown.some((one) => one.key === key)}
                onChange={() => toggle(key)}
              />
            ))}
          </div>
        </div>
      )}
    </PopoverButton>
  )
}
