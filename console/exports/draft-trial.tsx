// A preview of the file, updated while the user edits the form, and a check of the destination. Nothing is saved or
// delivered. Contract 3 §5 (`check`, `preview`). E3.
import { useState } from 'preact/hooks'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { JobBody } from './job-draft.ts'
import { sayFailure } from '../kit/failure-text.ts'
import { named, useLivePreview } from './live-preview.ts'
import { asText, CheckLine, PREVIEWED, Preview } from './trial.tsx'
import { Button } from '../kit/button.tsx'
import type { Acting } from '../kit/acting.ts'

/** @param act the form shows a failure, at its field */
export function DraftTrial({ body, isBusy, act }: Acting & { readonly body: JobBody }) {
  const { call } = useConsole()
  const { answer, fault } = useLivePreview(body, PREVIEWED)
  const [check, setCheck] = useState<Endpoints['POST /api/v1/export-jobs/check']['reply'] | undefined>(undefined)
  const ask = () => {
    setCheck(undefined)
    void act(async () => setCheck((await call('POST /api/v1/export-jobs/check', { body: named(body) })).body))
  }
  return (
    <section class="trial">
      <h2>{t('exports.livePreview')}</h2>
      {fault !== undefined && (
        <p class="warning" role="status" dir="auto">
          {t('exports.previewFault')} {sayFailure(fault)}
        </p>
      )}
      {answer !== undefined && <Preview text={asText(answer)} />}
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
