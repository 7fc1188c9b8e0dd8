// Follows running runs: waits until the latest run changes, then reads the shown data again.
import { useEffect } from 'preact/hooks'
import { isAborted } from '../api/failures.ts'
import type { Query } from '../state/cache.ts'
import { useConsole } from '../state/context.ts'
import type { ExportRun } from './job-draft.ts'
import { runningOf } from './run-bars.ts'

const WAIT = 25
/** Milliseconds between two requests. */
const PAUSE = 500
const AFTER_FAILURE = 3000

export function useFollowedRuns(runs: readonly ExportRun[], query: Query<unknown>): void {
  const { browser, call } = useConsole()
  const running = runningOf(runs)
  useEffect(() => {
    if (running === undefined) return undefined
    const stop = new AbortController()
    let stopTimer: () => void = () => undefined
    const ask = async () => {
      let pause = PAUSE
      try {
        const params = { id: running.jobId, runId: running.id }
        const { signal } = stop
        if (!browser.isHidden())
          await call('GET /api/v1/export-jobs/:id/runs/:runId', { params, query: { wait: WAIT }, signal })
        if (!browser.isHidden()) await query.refresh()
      } catch (error) {
        if (isAborted(error)) return
        pause = AFTER_FAILURE
      }
      if (!stop.signal.aborted) stopTimer = browser.after(pause, () => void ask())
    }
    void ask()
    return () => {
      stop.abort()
      stopTimer()
    }
  }, [running?.id, query])
}
