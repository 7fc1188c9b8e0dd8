// All schemas, and a new one. Contract 2 §3.
import { useActing } from '../kit/acting.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { Form } from '../kit/form.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { hinted, t } from '../words/place.ts'
import { idOf, newSchema, type SchemaDraft } from './definition.ts'
import { ModelNav } from './model-nav.tsx'

export function Schemas() {
  const { model, router } = useConsole()
  const query = useRead('model schemas', 'GET /api/v1/schemas')
  const mayWrite = model.may('model.write')
  const isNew = router.query.value['new'] !== undefined && mayWrite
  const workflows = model.workspace.value?.workflows
  const add = (
    <LinkButton href={writeAddress({ place: 'schemas', query: { new: '1' } })} kind="main" icon="add">
      {t('start.addSchema')}
    </LinkButton>
  )
  return (
    <>
      <PlaceHead
        title={t('model.schemas')}
        actions={
          mayWrite &&
          !isNew && (
            <>
              <LinkButton href={writeAddress({ place: 'start' })}>{t('start.otherwise')}</LinkButton>
              {add}
            </>
          )
        }
      >
        <ModelNav />
      </PlaceHead>
      {isNew && <NewSchema />}
      <Shown query={query}>
        {(schemas) =>
          schemas.length === 0 && !isNew ? (
            <Empty icon="model" title={t('model.noSchemas')} action={mayWrite && add}>
              <p>{t('model.noSchemasHelp')}</p>
            </Empty>
          ) : (
            <ul class="job-ledger model-ledger">
              {schemas.map((schema) => (
                <li key={schema.id} class="job-line">
                  <a class="strong" href={writeAddress({ place: 'schemas', id: schema.id })} dir="auto">
                    {model.nameOf(schema)}
                  </a>
                  <code class="quiet">{schema.id}</code>
                  <span>{t('model.attributeCount', { count: schema.attributes.length })}</span>
                  <a href={writeAddress({ place: 'workflows', id: schema.workflowId })} dir="auto">
                    {workflows?.get(schema.workflowId)?.name ?? schema.workflowId}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}

function NewSchema() {
  const { call, cache, model, router } = useConsole()
  const { isBusy, act } = useActing()
  const workflows = [...(model.workspace.value?.workflows.values() ?? [])]
  const draft = useFormDraft<SchemaDraft>('schema new', newSchema(workflows[0]?.id ?? 'wf-default'))
  const { value, put } = draft
  const isReady = value.name.trim() !== ''
  const save = () =>
    act(async () => {
      const { id: typed, attributes: _none, ...rest } = value
      const id = typed === '' ? idOf(value.name) : typed
      const { body } = await call('POST /api/v1/schemas', { body: { ...rest, ...(id === '' ? {} : { id }) } })
      draft.drop()
      await model.load()
      cache.refreshAll('model ')
      router.go({ place: 'schemas', id: body.id })
    })
  return (
    <Form class="page boxed" onSubmit={save}>
      <h2>{t('start.addSchema')}</h2>
      <TextField label={t('name')} value={value.name} isRequired hasFocus onInput={(name) => put({ name })} />
      <TextField
        {...hinted('field.id', 'form.idHelp')}
        value={value.id === '' ? idOf(value.name) : value.id}
        onInput={(id) => put({ id })}
      />
      <SelectField
        {...hinted('model.workflow')}
        value={value.workflowId}
        choices={workflows.map(({ id, name }) => ({ id, name }))}
        onChange={(workflowId) => put({ workflowId })}
      />
      <div class="row">
        <Button type="submit" kind="main" isBusy={isBusy} closedBecause={isReady ? undefined : t('form.nameFirst')}>
          {t('model.thenAttributes')}
        </Button>
        <Button
          onClick={() => {
            draft.drop()
            router.setQuery({ new: undefined })
          }}
        >
          {t('cancel')}
        </Button>
      </div>
    </Form>
  )
}
