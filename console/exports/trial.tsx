// A test of a job: whether its destination is writable, and the first lines of its file. Nothing is delivered.
// Contract 2 §6, 3 §5.
import { useState } from 'preact/hooks'
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

type Outcome = { readonly check: CheckAnswer } | { readonly preview: string } | { readonly error: Error }

interface TrialCalls {
  readonly check: () => Promise<CheckAnswer>
  /** The first records in the format of the file. */
  readonly preview: () => Promise<unknown>
}

export function SavedTrial({ job }: { readonly job: ExportJob }) {
  const { call, model } = useConsole()
  const params = { id: job.id }
  if (!model.may('exportJobs.write')) return null
  return (
    <Trial
      check={async () => (await call('POST /api/v1/export-jobs/:id/check', { params })).body}
      preview={async () =>
        (await call('POST /api/v1/export-jobs/:id/preview', { params, body: { limit: PREVIEWED } })).body
      }
    />
  )
}

function Trial({ check, preview }: TrialCalls) {
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const [busy, setBusy] = useState<'check' | 'preview' | undefined>(undefined)
  const attempt = async (what: 'check' | 'preview') => {
    setBusy(what)
    try {
      setOutcome(what === 'check' ? { check: await check() } : { preview: asText(await preview()) })
    } catch (error) {
      setOutcome({ error: error as Error })
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <section class="trial">
      <h2>{t('exports.trial')}</h2>
      <div class="row">
        <Button isBusy={busy === 'check'} onClick={() => void attempt('check')}>
          {t('exports.check')}
        </Button>
        <Button isBusy={busy === 'preview'} onClick={() => void attempt('preview')}>
          {t('exports.preview')}
        </Button>
        <span class="quiet">{t('exports.trialHelp')}</span>
      </div>
      {outcome !== undefined && <TrialOutcome outcome={outcome} />}
    </section>
  )
}

function TrialOutcome({ outcome }: { readonly outcome: Outcome }) {
  if ('error' in outcome) return <ErrorBox error={outcome.error} />
  if ('preview' in outcome) return <Preview text={outcome.preview} />
  return <CheckLine {...outcome.check} />
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
