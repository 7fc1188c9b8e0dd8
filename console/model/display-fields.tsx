// The display of an attribute's numbers for people. Contract 5 §2.
import type { NumberDisplay } from '../../src/core/model/rules/number-display.ts'
import { TextField } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { hinted, t } from '../words/place.ts'
import type { AttributeDraft } from './definition.ts'

export function DisplayFields(props: {
  readonly attribute: AttributeDraft
  readonly put: (changes: Partial<AttributeDraft>) => void
}) {
  const { dataType, display = {} } = props.attribute
  if (dataType !== 'number' && dataType !== 'price' && dataType !== 'measurement') return null
  const set = (changes: { readonly [member in keyof NumberDisplay]: unknown }) => {
    const given = Object.entries({ ...display, ...changes }).filter(([, value]) => value !== '' && value !== undefined)
    props.put({ display: given.length === 0 ? undefined : Object.fromEntries(given) })
  }
  return (
    <>
      <h3>{t('model.display')}</h3>
      <SelectField
        {...hinted('model.displayStyle')}
        value={display.style ?? ''}
        choices={[
          { id: '', name: t('model.displayUsual') },
          { id: 'plain', name: t('model.displayPlain') },
          { id: 'grouped', name: t('model.displayGrouped') },
        ]}
        onChange={(style) => set({ style })}
      />
      <div class="rules">
        <NumberField
          {...hinted('model.displayDecimals')}
          value={display.decimals}
          checks={{ min: 0, max: 10 }}
          onInput={(decimals) => set({ decimals })}
        />
        {dataType === 'number' && (
          <TextField
            label={t('model.displayUnit')}
            value={display.unit ?? ''}
            hint={t('model.displayUnitHelp')}
            onInput={(unit) => set({ unit })}
          />
        )}
      </div>
    </>
  )
}
