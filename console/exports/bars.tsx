// The last runs as bars. The height shows the duration; a gap with a dot is a failed run. Screen readers get words.
import { t } from '../words/place.ts'
import type { RunBar } from './run-bars.ts'

export function Bars({ bars }: { readonly bars: readonly RunBar[] }) {
  if (bars.length === 0) return <span class="quiet">{t('exports.neverRun')}</span>
  const count = (status: RunBar['status']) => bars.filter((bar) => bar.status === status).length
  const said = t('exports.lastRuns', { count: bars.length, done: count('success'), failed: count('failed') })
  return (
    <span class="bars" role="img" aria-label={said} title={said}>
      {bars.map(({ id, status, height }) => (
        <span
          key={id}
          class={`run-bar ${status}`}
          style={status === 'success' ? { height: `${height}%` } : undefined}
        />
      ))}
    </span>
  )
}
