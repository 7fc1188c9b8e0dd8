// The steps that prepare the cells of a column, in order. Contract 3 §4 (`with`).
import { Button } from '../kit/button.tsx'
import { Select } from '../kit/field.tsx'
import { t } from '../words/place.ts'
import type { Step } from './mapping.ts'
import { type Kind, kindOf, StepField, stepText } from './step-field.tsx'

const KINDS = [
  'trim',
  'number',
  'decimalComma',
  'unit',
  'optionName',
  'date',
  'split',
  'join',
  'replace',
  'map',
  'default',
  'fetch',
  'fileName',
] as const satisfies readonly Kind[]

const FIRST: Readonly<Record<Kind, Step>> = {
  trim: 'trim',
  number: 'number',
  decimalComma: 'decimalComma',
  unit: { unit: '' },
  optionName: 'optionName',
  date: { date: 'dd.MM.yyyy' },
  split: { split: ',' },
  join: { join: { headers: [], separator: ' ' } },
  replace: { replace: { find: '', by: '' } },
  map: { map: {} },
  default: { default: '' },
  fetch: 'fetch',
  fileName: 'fileName',
}

interface StepFieldsProps {
  readonly header: string
  /** The headers of all columns of the file. */
  readonly headers: readonly string[]
  readonly steps: readonly Step[]
  readonly onChange: (steps: readonly Step[]) => void
}

export function StepFields({ header, headers, steps, onChange }: StepFieldsProps) {
  const put = (index: number, step: Step) => onChange(steps.map((one, at) => (at === index ? step : one)))
  return (
    <fieldset class="map-steps">
      <legend>{t('imports.stepsOf', { header })}</legend>
      <ol>
        {steps.map((step, index) => (
          <li key={index}>
            <div class="map-step">
              <StepField step={step} headers={headers} onChange={(next) => put(index, next)} />
              <Button
                kind="quiet"
                icon="arrowUp"
                label={t('form.up', { name: stepText(step) })}
                closedBecause={index === 0 ? t('form.first') : undefined}
                onClick={() => onChange(steps.with(index, steps[index - 1]!).with(index - 1, step))}
              />
              <Button
                kind="quiet"
                icon="delete"
                label={t('remove', { name: stepText(step) })}
                onClick={() => onChange(steps.toSpliced(index, 1))}
              />
            </div>
          </li>
        ))}
      </ol>
      <Select
        label={t('imports.addStep')}
        value=""
        choices={[
          { id: '', name: t('imports.addStep') },
          ...KINDS.filter((kind) => !steps.some((step) => kindOf(step) === kind)).map((id) => ({
            id,
            name: t(`imports.with.${id}`),
          })),
        ]}
        onChange={(kind) => kind !== '' && onChange([...steps, FIRST[kind as Kind]])}
      />
    </fieldset>
  )
}
