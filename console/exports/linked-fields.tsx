// The fields of a column that reads referred records: the place of the record, and the preset of a picture's address. Contract 4 §4.
import { Select } from '../kit/field.tsx'
import { useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { FeedColumn } from './feed-columns.ts'

interface Props {
  readonly column: FeedColumn
  readonly onChange: (to: FeedColumn) => void
}

export function LinkedFields(props: Props) {
  const { via, part } = props.column
  return (
    <>
      {via !== undefined && <IndexField {...props} />}
      {part === 'url' && <PresetField {...props} />}
    </>
  )
}

/** Empty: all referred records. */
function IndexField({ column, onChange }: Props) {
  const { index, ...rest } = column
  return (
    <input
      type="number"
      min="1"
      max="200"
      aria-label={t('exports.indexIn', { name: column.header })}
      placeholder={t('exports.allRecords')}
      value={index ?? ''}
      onInput={({ currentTarget: { value } }) => onChange(value === '' ? rest : { ...rest, index: Number(value) })}
    />
  )
}

/** The choice of a rendition; empty: the unchanged file. */
function PresetField({ column, onChange }: Props) {
  const presets = useRead('exports presets', 'GET /api/v1/rendition-presets')
  const { preset = 'original', ...rest } = column
  const ids = (presets.data.value ?? []).map(({ id }) => id)
  return (
    <Select
      label={t('exports.presetIn', { name: column.header })}
      value={preset}
      choices={(ids.includes(preset) ? ids : [preset, ...ids]).map((id) => ({ id, name: id }))}
      onChange={(id) => onChange({ ...rest, preset: id })}
    />
  )
}
