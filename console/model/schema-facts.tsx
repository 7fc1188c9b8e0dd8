// A schema as a whole: name, workflow, label attribute, and the attributes in which variants differ.
import { TextField } from '../kit/field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { own } from '../../src/kernel/own.ts'
import { language } from '../words/words.ts'
import { withName } from './named-list.tsx'
import type { SchemaPartProps } from './definition.ts'

export function SchemaFacts({ draft }: SchemaPartProps) {
  const { model } = useConsole()
  const { value } = draft
  const options = value.attributes.map((attribute) => ({ id: attribute.alias, name: model.nameOf(attribute) }))
  const workflows = [...(model.workspace.value?.workflows.values() ?? [])]
  const tongue = language.value
  return (
    <div class="page form">
      <TextField label={t('name')} value={value.name} isRequired onInput={(name) => draft.put({ name })} />
      <TextField
        label={t('model.nameIn')}
        hint={t('hint.model.nameIn')}
        value={own(value.names, tongue) ?? ''}
        onInput={(name) => draft.put({ names: withName(value.names, tongue, name) })}
      />
      <SelectField
        {...hinted('model.workflow')}
        value={value.workflowId}
        choices={workflows.map(({ id, name }) => ({ id, name }))}
        onChange={(workflowId) => draft.put({ workflowId })}
      />
      <SelectField
        {...hinted('model.label', 'model.labelHelp')}
        value={value.labelAttribute ?? ''}
        choices={[{ id: '', name: t('none') }, ...options]}
        onChange={(alias) => draft.put({ labelAttribute: alias === '' ? undefined : alias })}
      />
      <IdsField
        {...hinted('model.variantAttributes')}
        options={options}
        ids={value.variantAttributes ?? []}
        onChange={(ids) => draft.put({ variantAttributes: ids.length === 0 ? undefined : ids })}
      />
    </div>
  )
}
