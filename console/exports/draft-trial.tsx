// A preview of the file, updated while the user edits the form, and a check of the destination. Nothing is saved or
// delivered. Contract 3 §5 (`check`, `preview`). E3.
import { useEffect, useState } from 'preact/hooks'
import { isAborted } from '../api/failures.ts'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { JobBody } from './job-draft.ts'
import { asText, CheckLine, PREVIEWED, Preview } from './trial.tsx'
import { Button } from '../kit/button.tsx'
import { useActing } from '../kit/acting.ts'

/** Milliseconds after the last change. */
const PAUSE = 700

export function DraftTrial({ body, id }: { readonly body: JobBody; readonly id: string | undefined }) {
  const { call, model } = useConsole()
  const { isBusy, act } = useActing()
  const [shown, setShown] = useState<{ readonly text?: string; readonly fault?: string }>({})
  const [check, setCheck] = useState<Endpoints['POST /api/v1/export-jobs/check']['reply'] | undefined>(undefined)
  // The file does not depend on the name, so a draft without a name gets a placeholder.
  const named = { ...body, name: body.name.trim() === '' ? '–' : body.name, ...(id === undefined ? {} : { id }) }
  const text = JSON.stringify(named)
  useEffect(() => {
    if (!model.may('records.read')) return undefined
    const stop = new AbortController()
    const ask = async () => {
      try {
        const asked = { ...(JSON.parse(text) as JobBody), limit: PREVIEWED }
        const answer = await call('POST /api/v1/export-jobs/preview', { body: asked, signal: stop.signal })
        setShown({ text: asText(answer.body) })
      } catch (error) {
        // The last preview stays: a form is often invalid for a moment.
        if (!isAborted(error)) setShown((before) => ({ ...before, fault: (error as Error).message }))
      }
    }
    const timer = window.setTimeout(() => void ask(), PAUSE)
    return () => {
      window.clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  const ask = () =>
    act(async () =>
      setCheck((await call('POST /api/v1/export-jobs/check', { body: JSON.parse(text) as JobBody })).body),
    )
  return (
    <section class="trial">
      <h2>{t('exports.livePreview')}</h2>
      {shown.fault !== undefined && (
        <p class="warning" role="status" dir="auto">
          {t('exports.previewFault')} {shown.fault}
        </p>
      )}
      {shown.text !== undefined && <Preview text={shown.text} />}
      <div class="row">
        <Button isBusy={isBusy} onClick={ask}>
          {t('exports.check')}
        </Button>
        <span class="quiet">{t('exports.trialHelp')}</span>
      </div>
      {check !== undefined && <CheckLine {...check} />}
    </section>
  )
}
