// The schedule of a job, and the handling of failed and missed runs.
import { useState } from 'preact/hooks'
import { Combobox } from '../kit/combobox.tsx'
import { Checkbox, Field } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { hinted, t } from '../words/place.ts'
import { NextRuns } from './next-runs.tsx'
import type { PartProps } from './job-draft.ts'
import { ScheduleField } from './schedule-field.tsx'

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((id) => ({ id, name: id }))

export function WhenFields({ draft, put }: PartProps) {
  const [fault, setFault] = useState<string | undefined>(undefined)
  return (
    <section>
      <h2>{t('exports.when')}</h2>
      <ScheduleField value={draft.schedule} fault={fault} onChange={(schedule) => put({ schedule })} />
      <Field {...hinted('exports.timezone', 'exports.timezoneHelp')}>
        {(input) => (
          <Combobox
            input={input}
            options={ZONES}
            value={{ id: draft.timezone, name: draft.timezone }}
            onChange={(zone) => zone !== null && put({ timezone: zone.id })}
          />
        )}
      </Field>
      <NextRuns schedule={draft.schedule} timezone={draft.timezone} onFault={setFault} />
      <Checkbox
        {...hinted('exports.missed')}
        isChecked={draft.missedRunPolicy === 'once'}
        onChange={(isOnce) => put({ missedRunPolicy: isOnce ? 'once' : 'skip' })}
      />
      <NumberField
        {...hinted('exports.attempts', 'exports.attemptsHelp')}
        value={draft.maxAttempts}
        isRequired
        checks={{ min: 1, max: 10 }}
        onInput={(maxAttempts) => put({ maxAttempts: maxAttempts! })}
      />
      <Checkbox
        {...hinted('form.active', 'hint.exports.active')}
        isChecked={draft.active}
        onChange={(active) => put({ active })}
      />
    </section>
  )
}
