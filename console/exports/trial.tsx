// A test of a job: whether its destination is writable, and the first lines of its file. Nothing is delivered.
// Contract 2 §6, 3 §5.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { causeOf } from './run-line.tsx'
import type { ExportJob } from './job-draft.ts'

export const PREVIEWED = 5

interface CheckAnswer {
  readonly ok: boolean
  readonly message: string
}

export function SavedTrial({ job: { id } }: { readonly job: ExportJob }) {
  const { call, model } = useConsole()
  const { isBusy, error, act } = useSaving()
  const [outcome, setOutcome] = useState<ComponentChildren>(undefined)
  const params = { id }
  if (!model.may('exportJobs.write')) return null
  const attempt = (work: () => Promise<ComponentChildren>) => {
    setOutcome(undefined)
    void act(async () => setOutcome(await work()))
  }
  const check = async () => <CheckLine {...(await call('POST /api/v1/export-jobs/:id/check', { params })).body} />
  const preview = async () => {
    const { body } = await call('POST /api/v1/export-jobs/:id/preview', { params, body: { limit: PREVIEWED } })
    return <Preview text={asText(body)} />
  }
  return (
    <section class="trial">
      <h2>{t('exports.trial')}</h2>
      <div class="row">
        <Button isBusy={isBusy} onClick={() => attempt(check)}>
          {t('exports.check')}
        </Button>
        <Button isBusy={isBusy} onClick={() => attempt(preview)}>
          {t('exports.preview')}
        </Button>
        <span class="quiet">{t('exports.trialHelp')}</span>
      </div>
      {error !== undefined && <ErrorBox error={error} />}
      {outcome}
    </section>
  )
}

export function Preview({ text }: { readonly text: string }) {
  return (
    <textarea
      class="preview"
      readOnly
      rows={8}
      aria-label={t('exports.preview')}
      value={text === '' ? t('exports.previewNone') : text}
    />
  )
}

export function CheckLine({ ok, message }: CheckAnswer) {
  return (
    <div class="run-line" role="status">
      <span class={`run-state ${ok ? 'good' : 'bad'}`}>
        <Icon name={ok ? 'good' : 'bad'} />
        {ok ? t('exports.checkGood') : causeOf(message)}
      </span>
      <span class="quiet" dir="auto">
        {message}
      </span>
    </div>
  )
}

/** Returns the answer as text: the answer of a JSON file arrives parsed, so it is printed again. */
export function asText(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)
}
