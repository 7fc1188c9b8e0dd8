// Why a record is in the feed, or is not: rule by rule. Contract 3 §5 (`explain`).
import { useState } from 'preact/hooks'
import type { Endpoints } from '../api/types.ts'
import { useActing } from '../kit/acting.ts'
import { Combobox } from '../kit/combobox.tsx'
import { Field } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import type { Option } from '../kit/choices.ts'
import { useRecordFinder } from '../kit/record-field.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/exports.ts'
import type { ExportJob } from './job-draft.ts'

type Inclusion = Endpoints['POST /api/v1/export-jobs/:id/explain']['reply']
const LONGEST = 160

export function Explain({ job: { id } }: { readonly job: ExportJob }) {
  const { call, model } = useConsole()
  const { act } = useActing()
  const [chosen, setChosen] = useState<Option | null>(null)
  const [answer, setAnswer] = useState<Inclusion | undefined>(undefined)
  const find = useRecordFinder()
  if (!model.may('records.read')) return null
  const ask = (option: Option | null) => {
    setChosen(option)
    setAnswer(undefined)
    if (option === null) return
    const body = { entityId: option.id }
    void act(async () => setAnswer((await call('POST /api/v1/export-jobs/:id/explain', { params: { id }, body })).body))
  }
  return (
    <section>
      <h2>{t('exports.explain')}</h2>
      <Field label={t('exports.explainRecord')}>
        {(input) => <Combobox input={input} options={find} value={chosen} onChange={ask} />}
      </Field>
      {answer !== undefined && (
        <div role="status">
          <p class="strong">{answer.included ? t('exports.isIn') : t('exports.isNotIn')}</p>
          <ul class="plain lines">
            {answer.reasons.map(({ rule, met, expected, actual }) => (
              <li key={rule} class="run-line">
                <span class={`run-state ${met ? 'good' : 'bad'}`}>
                  <Icon name={met ? 'good' : 'bad'} />
                  {t(`exports.rule.${rule}`)}
                </span>
                {!met && (
                  <span class="quiet" dir="auto">
                    {t('exports.asked', { expected: said(expected), actual: said(actual) })}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function said(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('none')
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST)
}
