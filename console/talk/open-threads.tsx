// Looks for open threads of the records in view, when the page has nothing else to do. The feed of changes contains no
// comments. A notice, which may concern a comment, starts another look.
import { effect } from '@preact/signals'
import type { ThreadsFollower, ThreadsHost } from '../state/sheet-panel-props.ts'

/** The most records of one request. */
const AT_ONCE = 100
/** Milliseconds after the last move. */
const QUIET = 500
/** The most records that are remembered as examined. */
const MOST_KNOWN = 5000

type OpenThreads = Parameters<ThreadsHost['mark']>[1]

export function followThreads({ console, shown, mark }: ThreadsHost): ThreadsFollower {
  const { browser, call, live } = console
  /** Known threads by record, because rows that are read again lose their marks. */
  const known = new Map<string, OpenThreads>()
  let stopTimer: () => void = () => undefined
  let isAsking = false
  const look = (): void => {
    stopTimer()
    stopTimer = browser.after(QUIET, () => void ask())
  }
  const ask = async (): Promise<void> => {
    const ids = shown()
    const seen = ids.filter((id) => known.has(id))
    mark(
      seen,
      seen.flatMap((id) => known.get(id)!),
    )
    const unknown = ids.filter((id) => !known.has(id)).slice(0, AT_ONCE)
    if (unknown.length === 0 || isAsking) return
    isAsking = true
    try {
      const { body } = await call('GET /api/v1/comments/open', { query: { recordIds: unknown.join(',') } })
      if (known.size > MOST_KNOWN) known.clear()
      for (const id of unknown)
        known.set(
          id,
          body.items.filter(({ recordId }) => recordId === id),
        )
      look()
    } catch {
      // Marks are not essential: without an answer, rows have none until the next move.
    } finally {
      isAsking = false
    }
  }
  const stop = effect(() => {
    void live.unread.value
    known.clear()
    look()
  })
  return {
    look,
    again: (recordId) => {
      known.delete(recordId)
      look()
    },
    stop: () => {
      stop()
      stopTimer()
    },
  }
}
