// The preview of a job that is being edited, requested after each pause. Nothing is saved or delivered. Contract 3 §5.
import { useEffect, useState } from 'preact/hooks'
import { isAborted } from '../api/failures.ts'
import { useConsole } from '../state/context.ts'
import type { JobBody } from './job-draft.ts'

/** Milliseconds after the last change. */
const PAUSE = 700

interface LivePreview {
  /** The last file; it stays while the draft is invalid for a moment. */
  readonly answer?: unknown
  /** undefined: the answer belongs to the draft. */
  readonly fault?: Error
}

/** @param body undefined: nothing is requested. The file does not depend on the name, so a draft needs none. */
export function useLivePreview(body: JobBody | undefined, limit: number): LivePreview {
  const { call, model } = useConsole()
  const [shown, setShown] = useState<LivePreview>({})
  const text = body === undefined ? undefined : JSON.stringify({ ...named(body), limit })
  useEffect(() => {
    if (text === undefined || !model.may('records.read')) return undefined
    const stop = new AbortController()
    const ask = async () => {
      try {
        const asked = JSON.parse(text) as JobBody & { limit: number }
        const { body: answer } = await call('POST /api/v1/export-jobs/preview', { body: asked, signal: stop.signal })
        setShown({ answer })
      } catch (error) {
        if (!isAborted(error)) setShown((before) => ({ ...before, fault: error as Error }))
      }
    }
    const timer = window.setTimeout(() => void ask(), PAUSE)
    return () => {
      window.clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return shown
}

/** Returns the draft, with a placeholder for a missing name. */
export function named(body: JobBody): JobBody {
  return { ...body, name: body.name.trim() === '' ? '–' : body.name }
}
