// The next runs of a schedule; the server computes them while the user types.
import { useEffect, useState } from 'preact/hooks'
import { isAborted } from '../api/failures.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { locale } from '../words/words.ts'
import { type NextRun, nextRuns } from './schedule-texts.ts'

const PAUSE = 250
const COUNT = 5

export function NextRuns({
  schedule,
  timezone,
  onFault,
}: {
  readonly schedule: string
  readonly timezone: string
  /** Called with the fault of the schedule; undefined: the schedule is valid. */
  readonly onFault?: (message: string | undefined) => void
}) {
  const next = useNextRuns(schedule, timezone, onFault)
  if (next === undefined) return null
  const user = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const shown = nextRuns(next, { job: timezone, user, locale: locale.value })
  return (
    <ol class="next-runs" aria-label={t('exports.nextRuns')}>
      {shown.map((run) => (
        <RunTime key={run.at} run={run} />
      ))}
      {shown.some(({ inUserZone }) => inUserZone !== undefined) && (
        <li class="quiet">{t('exports.zones', { job: timezone, user })}</li>
      )}
    </ol>
  )
}

function RunTime({ run }: { readonly run: NextRun }) {
  return (
    <li>
      <time dateTime={run.at}>{run.inJobZone}</time>
      {run.inUserZone !== undefined && <span class="quiet">{t('exports.yourTime', { at: run.inUserZone })}</span>}
      {run.clockChange !== undefined && <span class="wait">{t('exports.clockChange', run.clockChange)}</span>}
    </li>
  )
}

function useNextRuns(
  schedule: string,
  timezone: string,
  onFault: (message: string | undefined) => void = () => undefined,
) {
  const { call } = useConsole()
  const [next, setNext] = useState<readonly string[] | undefined>(undefined)
  useEffect(() => {
    const stop = new AbortController()
    const ask = async () => {
      try {
        const body = { schedule, timezone, count: COUNT }
        const answer = await call('POST /api/v1/schedules/preview', { body, signal: stop.signal })
        setNext(answer.body.next)
        onFault(undefined)
      } catch (error) {
        if (isAborted(error)) return
        setNext(undefined)
        onFault((error as Error).message)
      }
    }
    const timer = window.setTimeout(() => void ask(), next === undefined ? 0 : PAUSE)
    return () => {
      window.clearTimeout(timer)
      stop.abort()
    }
  }, [schedule, timezone])
  return next
}
