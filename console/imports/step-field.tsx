// The fields of one step, and its words. Contract 3 §4 (`with`).
import { TextField } from '../kit/field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { PairsField } from '../fields/pairs-field.tsx'
import { t } from '../words/place.ts'
import type { Step } from './mapping.ts'

type KeysOf<One> = One extends string ? One : keyof One
export type Kind = KeysOf<Step>

interface StepFieldProps {
  readonly step: Step
  /** The headers of all columns of the file. */
  readonly headers: readonly string[]
  readonly onChange: (step: Step) => void
}

export function StepField({ step, headers, onChange }: StepFieldProps) {
  const label = t(`imports.with.${kindOf(step)}`)
  if (typeof step === 'string') return <span>{label}</span>
  if ('map' in step) return <PairsField label={label} pairs={step.map} onChange={(map) => onChange({ map })} />
  if ('replace' in step) {
    const put = (change: object) => onChange({ replace: { ...step.replace, ...change } })
    return (
      <>
        <TextField label={label} value={step.replace.find} onInput={(find) => put({ find })} />
        <TextField label={t('imports.with.by')} value={step.replace.by ?? ''} onInput={(by) => put({ by })} />
      </>
    )
  }
  if ('join' in step) return <JoinField step={step} headers={headers} onChange={onChange} />
  const [[kind, value]] = Object.entries(step) as [[Kind, string]]
  return <TextField label={label} value={value} onInput={(text) => onChange({ [kind]: text } as unknown as Step)} />
}

function JoinField(props: StepFieldProps & { readonly step: Extract<Step, { readonly join: unknown }> }) {
  const { step, headers, onChange } = props
  const { join } = step
  return (
    <>
      <IdsField
        label={t('imports.with.join')}
        options={headers.map((header) => ({ id: header, name: header }))}
        ids={join.headers}
        onChange={(chosen) => onChange({ join: { ...join, headers: chosen } })}
      />
      <TextField
        label={t('imports.with.separator')}
        value={join.separator ?? ' '}
        onInput={(separator) => onChange({ join: { ...join, separator } })}
      />
    </>
  )
}

export function stepText(step: Step): string {
  const words = t(`imports.with.${kindOf(step)}`)
  if (typeof step === 'string' || 'map' in step) return words
  if ('replace' in step) return `${words} ${step.replace.find}`
  if ('join' in step) return `${words} ${step.join.headers.join(', ')}`
  return `${words} ${Object.values(step)[0]}`
}

export function kindOf(step: Step): Kind {
  return typeof step === 'string' ? step : (Object.keys(step)[0] as Kind)
}
