// The choice whether an import makes missing options or categories that a column names. Contract 3 §4.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { Checkbox } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import type { ColumnDraft, Making } from './mapping.ts'

interface MakingFieldProps {
  readonly draft: ColumnDraft
  readonly attribute: Attribute | undefined
  readonly onChange: (making: Making | undefined) => void
}

export function MakingField({ draft: { to, making = {} }, attribute, onChange }: MakingFieldProps) {
  const { model } = useConsole()
  if (attribute?.dataType === 'select' || attribute?.dataType === 'multiSelect')
    return model.may('model.write') ? (
      <Checkbox
        {...hinted('imports.createOptions')}
        isChecked={making.createOptions === true}
        onChange={(isChecked) => onChange(isChecked ? { createOptions: true } : undefined)}
      />
    ) : null
  if (to === null || !('field' in to) || to.field !== 'categories' || !model.may('categories.write')) return null
  const catalogs = model.workspace.value?.catalogs ?? []
  return (
    <>
      <Checkbox
        {...hinted('imports.createCategories')}
        isChecked={making.createCategories === true}
        onChange={(isChecked) => onChange({ ...making, createCategories: isChecked ? true : undefined })}
      />
      {catalogs.length > 1 && (
        <SelectField
          {...hinted('imports.catalogOfNew')}
          value={making.catalogId ?? ''}
          choices={[{ id: '', name: t('choose') }, ...catalogs]}
          onChange={(id) => onChange({ ...making, catalogId: id === '' ? undefined : id })}
        />
      )}
    </>
  )
}
