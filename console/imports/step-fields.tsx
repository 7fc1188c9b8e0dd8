// The steps that prepare the cells of a column, in order. Contract 3 §4 (`with`).
import { Button } from '../kit/button.tsx'
import { Select, TextField } from '../kit/field.tsx'
import { PairsField } from '../fields/pairs-field.tsx'
import { t } from '../words/place.ts'
import type { Step } from './mapping.ts'

const KINDS = ['trim', 'decimalComma', 'optionName', 'date', 'split', 'map', 'default'] as const
type Kind = (typeof KINDS)[number]

const FIRST: Readonly<Record<Kind, Step>> = {
  trim: 'trim',
  decimalComma: 'decimalComma',
  optionName: 'optionName',
  date: { date: 'dd.MM.yyyy' },
  split: { split: ',' },
  map: { map: {} },
  default: { default: '' },
}

interface StepFieldsProps {
  readonly header: string
  readonly steps: readonly Step[]
  readonly onChange: (steps: readonly Step[]) => void
}

export function StepFields({ header, steps, onChange }: StepFieldsProps) {
  const put = (index: number, step: Step) => onChange(steps.map((one, at) => (at === index ? step : one)))
  return (
    <fieldset class="map-steps">
      <legend>{t('imports.stepsOf', { header })}</legend>
      <ol>
        {steps.map((step, index) => (
          <li key={index}>
            <div class="map-step">
              <StepField step={step} onChange={(next) => put(index, next)} />
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

function StepField({ step, onChange }: { readonly step: Step; readonly onChange: (step: Step) => void }) {
  const label = t(`imports.with.${kindOf(step)}`)
  if (typeof step === 'string') return <span>{label}</span>
  if ('map' in step) return <PairsField label={label} pairs={step.map} onChange={(map) => onChange({ map })} />
  const [[kind, value]] = Object.entries(step) as [[Kind, string]]
  return <TextField label={label} value={value} onInput={(text) => onChange({ [kind]: text } as unknown as Step)} />
}

export function stepText(step: Step): string {
  if (typeof step === 'string') return t(`imports.with.${step}`)
  const [[kind, value]] = Object.entries(step) as [[Kind, string]]
  return kind === 'map' ? t('imports.with.map') : `${t(`imports.with.${kind}`)} ${value}`
}

function kindOf(step: Step): Kind {
  return typeof step === 'string' ? step : (Object.keys(step)[0] as Kind)
}
