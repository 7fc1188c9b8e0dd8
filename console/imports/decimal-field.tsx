// The decimal sign of a csv file, if the user has to choose: in some files every number fits both signs.
// Contract 3 §4 (dialects).
import type { Decimal } from '../../src/core/csv/source-dialect.ts'
import { DECIMALS } from '../../src/core/csv/csv-dialect.ts'
import { SelectField } from '../kit/select-field.tsx'
import { t } from '../words/place.ts'

export function DecimalField(props: {
  /** null: not chosen yet. */
  readonly value: Decimal | null
  readonly onChange: (sign: Decimal) => void
}) {
  const { value, onChange } = props
  const signs = DECIMALS.map((sign) => ({ id: sign, name: `1${sign}5` }))
  return (
    <div class="rules">
      <SelectField
        label={t('form.decimal')}
        value={value ?? ''}
        choices={value === null ? [{ id: '', name: t('choose') }, ...signs] : signs}
        onChange={(id) => onChange(id as Decimal)}
        hint={value === null ? t('imports.decimalOpen') : undefined}
      />
    </div>
  )
}
