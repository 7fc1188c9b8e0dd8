// The choice of changed records only, the conditions that stop a delivery, and the checksum for receivers.
// Contract 3 §5.
import { Checkbox, TextField } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { hinted, t } from '../words/place.ts'
import type { PartProps } from './job-draft.ts'

export function SafetyFields({ draft, put }: PartProps) {
  const { delta, guards, checksum } = draft
  const guard = (key: 'minRecords' | 'maxDropPercent', value: number | undefined) => {
    const { [key]: _before, ...others } = guards ?? {}
    const next = value === undefined ? others : { ...others, [key]: value }
    put({ guards: Object.keys(next).length === 0 ? null : next })
  }
  return (
    <section>
      <h2>{t('exports.safety')}</h2>
      <Checkbox
        {...hinted('exports.delta')}
        isChecked={delta !== null}
        onChange={(isOn) => put({ delta: isOn ? { fullEvery: '0 2 * * 0' } : null })}
      />
      {delta !== null && (
        <TextField
          {...hinted('exports.fullEvery', 'exports.scheduleHelp')}
          value={delta.fullEvery ?? ''}
          onInput={(text) => put({ delta: text.trim() === '' ? {} : { fullEvery: text } })}
        />
      )}
      <NumberField
        {...hinted('exports.minRecords', 'exports.minRecordsHelp')}
        value={guards?.minRecords}
        checks={{ min: 1 }}
        onInput={(value) => guard('minRecords', value)}
      />
      <NumberField
        {...hinted('exports.maxDrop', 'exports.guardHelp')}
        value={guards?.maxDropPercent}
        checks={{ min: 0, max: 100, step: 'any' }}
        onInput={(value) => guard('maxDropPercent', value)}
      />
      <Checkbox
        {...hinted('exports.checksum')}
        isChecked={checksum !== null}
        onChange={(isOn) => put({ checksum: isOn ? 'sha256' : null })}
      />
    </section>
  )
}
