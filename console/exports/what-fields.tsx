// The records that a job exports, and the scope of their values.
import { Checkbox, TextField } from '../kit/field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import type { JobDraft, PartProps } from './job-draft.ts'
import { SelectionField } from './selection-field.tsx'
import { SortField } from './sort-field.tsx'
import { own } from '../../src/kernel/own.ts'

export function WhatFields({ draft, put }: PartProps) {
  const { model } = useConsole()
  const all = { id: '', name: t('all') }
  const catalogs = model.workspace.value?.catalogs ?? []
  return (
    <section>
      <h2>{t('exports.what')}</h2>
      <TextField label={t('name')} value={draft.name} isRequired hasFocus onInput={(name) => put({ name })} />
      <TextField
        label={t('form.description')}
        value={draft.description}
        onInput={(description) => put({ description })}
      />
      <SelectField
        {...hinted('schema', 'hint.exports.schema')}
        value={draft.schemaId ?? ''}
        choices={[all, ...model.schemas.value.map((schema) => ({ id: schema.id, name: model.nameOf(schema) }))]}
        onChange={(id) => put({ schemaId: id === '' ? null : id })}
      />
      {catalogs.length > 0 && (
        <SelectField
          {...hinted('exports.catalog')}
          value={draft.catalogId ?? ''}
          choices={[all, ...catalogs]}
          onChange={(id) => put({ catalogId: id === '' ? null : id })}
        />
      )}
      <States draft={draft} put={put} />
      <SelectionField draft={draft} put={put} />
      {model.dimensions.value.map((dimension) => (
        <SelectField
          key={dimension.id}
          label={model.nameOf(dimension)}
          hint={t('hint.exports.scopeOf')}
          value={own(draft.dimensionScope, dimension.id) ?? ''}
          choices={[all, ...dimension.segments.map((segment) => ({ id: segment.id, name: model.nameOf(segment) }))]}
          onChange={(segment) => put({ dimensionScope: withSegment(draft.dimensionScope, dimension.id, segment) })}
        />
      ))}
      <Checkbox
        {...hinted('exports.variants')}
        isChecked={draft.includeVariants}
        onChange={(includeVariants) => put({ includeVariants })}
      />
      {draft.includeVariants && (
        <SelectField
          {...hinted('exports.variantValues')}
          value={draft.variantValues}
          choices={[
            { id: 'effective', name: t('exports.effective') },
            { id: 'own', name: t('exports.own') },
          ]}
          onChange={(id) => put({ variantValues: id === 'own' ? 'own' : 'effective' })}
        />
      )}
      <SortField draft={draft} put={put} />
    </section>
  )
}

/** The states of the schema's workflow, or of all workflows. */
function States({ draft, put }: PartProps) {
  const { model } = useConsole()
  const ofSchema = draft.schemaId === null ? undefined : model.schema(draft.schemaId)?.workflowId
  const workflows = [...(model.workspace.value?.workflows.values() ?? [])]
  const options = workflows
    .filter(({ id }) => ofSchema === undefined || id === ofSchema)
    .flatMap(({ states }) => states.map((state) => ({ id: state.id, name: model.nameOf(state) })))
  return (
    <IdsField
      {...hinted('form.states', 'exports.statesHelp')}
      options={options}
      ids={draft.includeLifecycleStateIds ?? []}
      onChange={(ids) => put({ includeLifecycleStateIds: ids.length === 0 ? null : ids })}
    />
  )
}

/** Null if no segment is chosen: the job exports all scopes. */
function withSegment(
  scope: JobDraft['dimensionScope'],
  dimension: string,
  segment: string,
): JobDraft['dimensionScope'] {
  const { [dimension]: _before, ...others } = scope ?? {}
  const chosen = segment === '' ? others : { ...others, [dimension]: segment }
  return Object.keys(chosen).length === 0 ? null : chosen
}
