// The reasons why a record is in the feed or not: rule by rule. Contract 3 §5 (`explain`).
import { useState } from 'preact/hooks'
import type { Endpoints } from '../api/types.ts'
import { useActing } from '../kit/acting.ts'
import { Combobox } from '../kit/combobox.tsx'
import { Field } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import type { Option } from '../kit/choices.ts'
import { useRecordFinder } from '../kit/record-field.tsx'
import { useConsole } from '../state/context.ts'
import type { ModelState } from '../state/model.ts'
import { hinted, t } from '../words/place.ts'
import type { ExportJob } from './job-draft.ts'
import { catalogNameIn, stateNameIn } from './rule-names.ts'

type Inclusion = Endpoints['POST /api/v1/export-jobs/:id/explain']['reply']

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
      <Field {...hinted('form.record', 'hint.exports.explainRecord')}>
        {(input) => <Combobox input={input} options={find} value={chosen} onChange={ask} />}
      </Field>
      {answer !== undefined && (
        <div role="status">
          <p class="strong">{answer.included ? t('exports.isIn') : t('exports.isNotIn')}</p>
          <ul class="lines">
            {answer.reasons.map((reason) => (
              <li key={reason.rule} class="run-line">
                <span class={`run-state ${reason.met ? 'good' : 'bad'}`}>
                  <Icon name={reason.met ? 'good' : 'bad'} />
                  {t(`exports.rule.${reason.rule}`)}
                </span>
                {!reason.met && (
                  <span class="quiet" dir="auto">
                    {whyNot(reason, model)}
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

/**
 * Returns the expected and the actual value of a rule, by names of the model; a filter only states that it does not
 * match.
 */
function whyNot({ rule, expected, actual }: Inclusion['reasons'][number], model: ModelState): string {
  if (rule === 'selection' && typeof actual === 'string') return actual
  if (rule === 'selection' || rule === 'variants' || rule === 'delta') return t(`exports.not.${rule}`)
  const names = (value: unknown): string => {
    const ids = [value].flat().filter((id) => typeof id === 'string')
    return ids.map((id) => nameOf(rule, id, model)).join(', ') || t('none')
  }
  return t('exports.asked', { expected: names(expected), actual: names(actual) })
}

function nameOf(rule: string, id: string, model: ModelState): string {
  if (rule === 'schema') return model.schemaName(id)
  if (rule === 'state') return stateNameIn(model, id)
  return rule === 'catalog' ? catalogNameIn(model, id) : id
}
