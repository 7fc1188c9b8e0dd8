// One action of a bulk edit: its kind, its attribute, its scope.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { Button } from '../kit/button.tsx'
import { Combobox, MultiCombobox } from '../kit/combobox.tsx'
import { Checkbox, Field, Select, TextField } from '../kit/field.tsx'
import { RecordField, useRecordFinder } from '../kit/record-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import type { SeenSchema } from '../state/model.ts'
import { hinted, t } from '../words/place.ts'
import {
  ACTION_KINDS,
  type ActionDraft,
  type ActionKind,
  CATEGORY_WAYS,
  isOfLists,
  takesText,
  transitionsFor,
} from './action-drafts.ts'
import { ScopeFields } from '../fields/scope-fields.tsx'

interface ActionFormProps {
  readonly draft: ActionDraft
  readonly schema: SeenSchema
  readonly problem: string | undefined
  readonly onChange: (changes: Partial<ActionDraft>) => void
  /** Undefined: this is the only action. */
  readonly onRemove: (() => void) | undefined
}

export function ActionForm(props: ActionFormProps) {
  const { model } = useConsole()
  const { draft, onChange, onRemove } = props
  const kinds = ACTION_KINDS.filter((kind) => mayDo(kind, (permission) => model.may(permission)))
  return (
    <fieldset class="action">
      <div class="row">
        <Select
          label={t('bulk.action')}
          value={draft.kind}
          choices={kinds.map((id) => ({ id, name: t(`bulk.kind.${id}`) }))}
          onChange={(kind) => onChange({ kind: kind as ActionKind })}
        />
        <span class="grow" />
        {onRemove !== undefined && (
          <Button kind="quiet" icon="close" label={t('bulk.removeAction')} onClick={onRemove} />
        )}
      </div>
      {draft.kind === 'move' && <TransitionField {...props} />}
      {draft.kind === 'categories' && <CategoryFields {...props} />}
      {draft.kind === 'delete' && <p class="warning">{t('bulk.deleteHelp')}</p>}
      {(isOfLists(draft.kind) || ['set', 'clear', 'replace', 'copy'].includes(draft.kind)) && (
        <ValueFields {...props} />
      )}
    </fieldset>
  )
}

function mayDo(
  kind: ActionKind,
  may: (permission: 'records.update' | 'records.delete' | 'categories.write') => boolean,
) {
  if (kind === 'delete') return may('records.delete')
  return may(kind === 'categories' ? 'categories.write' : 'records.update')
}

function TransitionField({ draft, schema, onChange }: ActionFormProps) {
  const { model } = useConsole()
  const workflow = model.workspace.value?.workflows.get(schema.workflowId)
  const roleId = model.me.value?.roleId ?? ''
  const choices = workflow === undefined ? [] : transitionsFor(roleId, workflow, model)
  return (
    <SelectField
      {...hinted('bulk.transition')}
      value={draft.transitionId}
      choices={[{ id: '', name: t('choose') }, ...choices]}
      onChange={(transitionId) => onChange({ transitionId })}
    />
  )
}

function CategoryFields({ draft, onChange }: ActionFormProps) {
  const { call, model } = useConsole()
  const catalogs = model.workspace.value?.catalogs ?? []
  const query = useQuery(`bulk categories ${catalogs.map(({ id }) => id).join()}`, async (signal) => {
    const read = catalogs.map(async ({ id, name }) => {
      const { body } = await call('GET /api/v1/catalogs/:id/categories', { params: { id }, signal })
      return body.map((category) => ({ id: category.id, name: model.nameOf(category), detail: name }))
    })
    return (await Promise.all(read)).flat()
  })
  return (
    <>
      <Select
        label={t('bulk.categoryWay')}
        value={draft.way}
        choices={CATEGORY_WAYS.map((id) => ({ id, name: t(`bulk.way.${id}`) }))}
        onChange={(way) => onChange({ way: way as ActionDraft['way'] })}
      />
      <Field {...hinted('place.categories', 'hint.bulk.categories')}>
        {(input) => (
          <MultiCombobox
            input={input}
            options={query.data.value ?? []}
            values={draft.categories}
            onChange={(categories) => onChange({ categories })}
          />
        )}
      </Field>
    </>
  )
}

function ValueFields(props: ActionFormProps) {
  const { model } = useConsole()
  const { draft, schema, problem, onChange } = props
  const attribute = schema.rules.attribute(draft.alias)
  const isCopy = draft.kind === 'copy'
  const attributes = schema.attributes
    .filter(({ alias }) => model.access(schema.id, alias) === 'write')
    .filter((one) => draft.kind !== 'replace' || takesText(one))
    .filter(({ dataType }) => !isOfLists(draft.kind) || dataType === 'references')
    .filter(({ dimensionIds }) => !isCopy || dimensionIds.length > 0)
  const dimensionIds = attribute?.dimensionIds ?? (isCopy ? model.dimensions.value.map(({ id }) => id) : [])
  const choose = (alias: string) => onChange({ alias })
  const mayBeEverywhere = ['clear', 'replace', 'removeReferences'].includes(draft.kind)
  return (
    <>
      <Field label={isCopy ? t('bulk.attributeOrAll') : t('form.attribute')} hint={t('hint.bulk.attribute')}>
        {(input) => (
          <Combobox
            input={input}
            options={attributes.map((one) => ({ id: one.alias, name: model.nameOf(one), detail: one.alias }))}
            value={attribute === undefined ? null : { id: attribute.alias, name: model.nameOf(attribute) }}
            onChange={(option) => choose(option?.id ?? '')}
          />
        )}
      </Field>
      {isCopy && (
        <div class="labelled">
          <span>{t('records.filterFrom')}</span>
          <ScopeFields
            label={t('records.filterFrom')}
            scope={draft.from}
            dimensionIds={dimensionIds}
            onChange={(from) => onChange({ from })}
          />
        </div>
      )}
      {(!mayBeEverywhere || !draft.isEverywhere) && dimensionIds.length > 0 && (
        <div class="labelled">
          <span>{isCopy ? t('bulk.to') : t('scope.title')}</span>
          <ScopeFields
            label={isCopy ? t('bulk.to') : t('scope.title')}
            scope={draft.scope}
            dimensionIds={dimensionIds}
            onChange={(scope) => onChange({ scope })}
          />
        </div>
      )}
      {mayBeEverywhere && dimensionIds.length > 0 && (
        <Checkbox
          {...hinted('bulk.everywhere')}
          isChecked={draft.isEverywhere}
          onChange={(isEverywhere) => onChange({ isEverywhere })}
        />
      )}
      {isCopy && (
        <Checkbox
          {...hinted('bulk.onlyEmpty')}
          isChecked={draft.onlyEmpty}
          onChange={(onlyEmpty) => onChange({ onlyEmpty })}
        />
      )}
      {draft.kind === 'replace' && <ReplacedText draft={draft} onChange={onChange} />}
      {isOfLists(draft.kind) && <ListedRecords draft={draft} onChange={onChange} />}
      {draft.kind === 'set' && attribute !== undefined && (
        <NewValue draft={draft} attribute={attribute} problem={problem} onChange={onChange} />
      )}
    </>
  )
}

function ReplacedText({ draft, onChange }: Pick<ActionFormProps, 'draft' | 'onChange'>) {
  return (
    <>
      <TextField {...hinted('bulk.find')} name="replace" value={draft.find} onInput={(find) => onChange({ find })} />
      <TextField {...hinted('bulk.replaceBy')} value={draft.text} onInput={(text) => onChange({ text })} />
    </>
  )
}

function ListedRecords({ draft, onChange }: Pick<ActionFormProps, 'draft' | 'onChange'>) {
  const find = useRecordFinder()
  return (
    <>
      <Field {...hinted('place.records', 'hint.bulk.listed')}>
        {(input) => (
          <MultiCombobox
            input={input}
            options={find}
            values={draft.records}
            onChange={(records) => onChange({ records })}
          />
        )}
      </Field>
      {draft.kind === 'addReferences' && (
        <Checkbox {...hinted('bulk.atFirst')} isChecked={draft.isFirst} onChange={(isFirst) => onChange({ isFirst })} />
      )}
    </>
  )
}

function NewValue(props: Pick<ActionFormProps, 'draft' | 'problem' | 'onChange'> & { readonly attribute: Attribute }) {
  const { model } = useConsole()
  const { draft, attribute, problem, onChange } = props
  const error = problem === undefined || problem === '' || draft.text === '' ? undefined : problem
  if (attribute.dataType === 'reference')
    return (
      <Field {...hinted('bulk.newValue')} error={error}>
        {(input) => (
          <RecordField
            input={input}
            recordId={draft.text === '' ? undefined : draft.text}
            onChoose={(recordId) => onChange({ text: recordId ?? '' })}
          />
        )}
      </Field>
    )
  if (attribute.dataType !== 'select')
    return (
      <TextField {...hinted('bulk.newValue')} value={draft.text} error={error} onInput={(text) => onChange({ text })} />
    )
  const options = attribute.options.map((option) => ({ id: option.id, name: model.nameOf(option) }))
  return (
    <Field {...hinted('bulk.newValue')}>
      {(input) => (
        <Combobox
          input={input}
          options={options}
          value={options.find(({ id }) => id === draft.text) ?? null}
          onChange={(option) => onChange({ text: option?.id ?? '' })}
        />
      )}
    </Field>
  )
}
