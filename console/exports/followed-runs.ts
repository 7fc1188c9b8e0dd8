// Runs that go on: what shows them is read again until they are over.
import { useEffect } from 'preact/hooks'
import type { Query } from '../state/cache.ts'
import { useConsole } from '../state/context.ts'
import type { ExportRun } from './job-draft.ts'
import { runningOf } from './run-bars.ts'

const ASKING = 1000

export function useFollowedRuns(runs: readonly ExportRun[], query: Query<unknown>): void {
  const { browser } = useConsole()
  const isRunning = runningOf(runs) !== undefined
  useEffect(() => {
    if (!isRunning) return undefined
    let stop: () => void = () => undefined
    const ask = () => {
      stop = browser.after(ASKING, () => {
        const asked = browser.isHidden() ? Promise.resolve() : query.refresh()
        void asked.finally(ask)
      })
    }
    ask()
    return () => stop()
  }, [isRunning, query])
}
