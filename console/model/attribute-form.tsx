// One attribute: its name, its dimensions, the states that require it, and the rules of its values. Contract 2 §3.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { DATA_TYPE_NAMES } from '../../src/core/datatypes/data-types.ts'
import { useConsole } from '../state/context.ts'
import type { FormDraft } from '../state/form-draft.ts'
import { hinted, t } from '../words/place.ts'
import { own } from '../../src/kernel/own.ts'
import { language } from '../words/words.ts'
import { type AttributeDraft, type SchemaDraft, withoutAttribute } from './definition.ts'
import { DisplayFields } from './display-fields.tsx'
import { GuardFields } from './guard-fields.tsx'
import { NamedList, withName } from './named-list.tsx'
import { RenameAttribute } from './rename-attribute.tsx'
import { RuleFields } from './rule-fields.tsx'

interface AttributeProps {
  readonly attribute: AttributeDraft
  /** True: the stored schema has the attribute, so a job renames its alias. */
  readonly isStored: boolean
  readonly draft: FormDraft<SchemaDraft>
}

export function AttributeForm({
  attribute,
  isStored,
  draft,
  mayWrite,
}: AttributeProps & { readonly mayWrite: boolean }) {
  const { attributes } = draft.value
  const put = (changes: Partial<AttributeDraft>) =>
    draft.put({
      attributes: attributes.map((one) => (one.alias === attribute.alias ? { ...attribute, ...changes } : one)),
    })
  const tongue = language.value
  return (
    <fieldset class="attribute-form" disabled={!mayWrite}>
      <legend>
        <h2>
          <code>{attribute.alias}</code>
        </h2>
      </legend>
      <TextField label={t('name')} value={attribute.name} onInput={(name) => put({ name })} />
      <TextField
        label={t('model.nameIn')}
        hint={t('hint.model.nameIn')}
        value={own(attribute.names, tongue) ?? ''}
        onInput={(name) => put({ names: withName(attribute.names, tongue, name) })}
      />
      <TextArea
        {...hinted('form.description', 'hint.model.description')}
        rows={2}
        value={attribute.description}
        onInput={(description) => put({ description })}
      />
      <SelectField
        {...hinted('model.dataType', 'model.dataTypeHelp')}
        value={attribute.dataType}
        choices={DATA_TYPE_NAMES.map((id) => ({ id, name: t(`type.${id}`) }))}
        onChange={(dataType) =>
          put({ dataType: dataType as AttributeDraft['dataType'], validation: {}, display: undefined })
        }
      />
      <Places attribute={attribute} put={put} workflowId={draft.value.workflowId} />
      <Checkbox {...hinted('model.unique')} isChecked={attribute.unique} onChange={(unique) => put({ unique })} />
      <TypeFields attribute={attribute} put={put} />
      <RuleFields attribute={attribute} put={put} />
      <DisplayFields attribute={attribute} put={put} />
      <GuardFields attribute={attribute} attributes={attributes} put={put} />
      {mayWrite && <AttributeActions attribute={attribute} isStored={isStored} draft={draft} />}
    </fieldset>
  )
}

/** Renames or removes the attribute. */
function AttributeActions({ attribute: { alias }, isStored, draft }: AttributeProps) {
  const { router } = useConsole()
  const [isRenaming, setRenaming] = useState(false)
  const remove = () => {
    draft.put(withoutAttribute(draft.value, alias))
    router.setQuery({ at: undefined })
  }
  return (
    <>
      <div class="row">
        {isStored && (
          <Button closedBecause={draft.isChanged ? t('model.applyFirst') : undefined} onClick={() => setRenaming(true)}>
            {t('model.rename')}
          </Button>
        )}
        <Button kind="bad" onClick={remove}>
          {t('model.removeAttribute')}
        </Button>
      </div>
      {isRenaming && <RenameAttribute schemaId={draft.value.id} from={alias} onClose={() => setRenaming(false)} />}
    </>
  )
}

interface FieldsProps {
  readonly attribute: AttributeDraft
  readonly put: (changes: Partial<AttributeDraft>) => void
}

/** The choices that a data type offers: options, units or currencies. */
function TypeFields({ attribute, put }: FieldsProps) {
  const { dataType, options, units, currencies } = attribute
  if (dataType === 'measurement')
    return <Listed label={t('model.units')} items={units} onChange={(items) => put({ units: items })} />
  if (dataType === 'price')
    return <Listed label={t('model.currencies')} items={currencies} onChange={(items) => put({ currencies: items })} />
  if (dataType !== 'select' && dataType !== 'multiSelect') return null
  return (
    <>
      <h3>{t('model.options')}</h3>
      <NamedList
        title={t('model.options')}
        addTitle={t('model.addOption')}
        items={options}
        onChange={(items) => put({ options: [...items] })}
      />
    </>
  )
}

/** The dimensions that scope the attribute, and the states that require it. */
function Places({ attribute, put, workflowId }: FieldsProps & { readonly workflowId: string }) {
  const { model } = useConsole()
  const dimensions = model.dimensions.value.map((dimension) => ({ id: dimension.id, name: model.nameOf(dimension) }))
  const states = (model.workspace.value?.workflows.get(workflowId)?.states ?? []).map((state) => ({
    id: state.id,
    name: model.nameOf(state),
  }))
  return (
    <>
      <IdsField
        {...hinted('model.differsBy', 'model.differsByHelp')}
        options={dimensions}
        ids={attribute.dimensionIds}
        onChange={(dimensionIds) => put({ dimensionIds })}
      />
      <IdsField
        {...hinted('model.requiredIn', 'model.requiredInHelp')}
        options={states}
        ids={attribute.requiredInStateIds}
        onChange={(requiredInStateIds) => put({ requiredInStateIds })}
      />
    </>
  )
}

/** Short texts, separated by commas: the text stays as typed while the user types. */
function Listed(props: {
  readonly label: string
  readonly items: readonly string[]
  readonly onChange: (items: readonly string[]) => void
}) {
  const { items, onChange } = props
  const [typed, setTyped] = useState('')
  return (
    <TextField
      label={props.label}
      hint={t('model.commas')}
      // After a discard, or a change by somebody else, the field shows the current items.
      value={listed(typed).join() === items.join() ? typed : items.join(', ')}
      onInput={(text) => {
        setTyped(text)
        onChange(listed(text))
      }}
    />
  )
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
