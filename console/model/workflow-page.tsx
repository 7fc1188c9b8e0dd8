// One workflow: its states, and a matrix of the roles that may move records between states. Contract 2 §3, 3 §11.
import { useState } from 'preact/hooks'
import { EditHead } from '../kit/edit-head.tsx'
import { TextField } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { useSaveKey } from '../kit/save-key.ts'
import { SelectField } from '../kit/select-field.tsx'
import { Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { t } from '../words/place.ts'
import { ApplyDialog } from './apply.tsx'
import { NamedList } from './named-list.tsx'
import { WorkflowMatrix } from './matrix.tsx'
import { type StoredWorkflow, withoutState } from './workflow-matrix.ts'
import { writeAddress } from '../state/addresses.ts'

const crumbs = () => [{ title: t('model.workflows'), href: writeAddress({ place: 'workflows' }) }]

export function WorkflowPage() {
  const { call, model, router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const mayNameRoles = model.may('users.manage')
  const query = useQuery(`model workflow ${id}`, async (signal) => {
    const [workflow, roles] = await Promise.all([
      call('GET /api/v1/workflows/:id', { params: { id }, signal }),
      mayNameRoles ? call('GET /api/v1/roles', { signal }) : undefined,
    ])
    return { workflow: workflow.body, roles: roles?.body ?? [] }
  })
  return (
    <>
      {query.data.value === undefined && <PlaceHead title={id} crumbs={crumbs()} />}
      <Shown query={query}>{({ workflow, roles }) => <WorkflowEditor workflow={workflow} roles={roles} />}</Shown>
    </>
  )
}

function WorkflowEditor(props: {
  readonly workflow: StoredWorkflow
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}) {
  const { workflow, roles } = props
  const { call, cache, model, router } = useConsole()
  const draft = useFormDraft<StoredWorkflow>(`workflow ${workflow.id}`, workflow)
  const [isApplying, setApplying] = useState(false)
  const { value, put } = draft
  const mayWrite = model.may('model.write')
  const params = { id: workflow.id }
  useSaveKey(() => draft.isChanged && setApplying(true))
  return (
    <>
      <EditHead
        title={value.name}
        crumbs={crumbs()}
        id={workflow.id}
        draft={draft}
        main={
          mayWrite
            ? {
                title: t('apply'),
                closedBecause: draft.isChanged ? undefined : t('form.nothingChanged'),
                onClick: () => setApplying(true),
              }
            : undefined
        }
        deletion={
          mayWrite
            ? {
                name: workflow.name,
                remove: () => call('DELETE /api/v1/workflows/:id', { params }),
                onDone: async () => {
                  router.go({ place: 'workflows' })
                  await model.load()
                  cache.refreshAll('model workflows')
                },
              }
            : undefined
        }
      />
      <div class="page sections">
        <section>
          <h2>{t('model.transitions')}</h2>
          <WorkflowMatrix workflow={value} roles={roles} mayWrite={mayWrite} onChange={put} />
        </section>
        {mayWrite && (
          <section class="narrow">
            <h2>{t('form.states')}</h2>
            <TextField label={t('name')} value={value.name} onInput={(name) => put({ name })} />
            <SelectField
              label={t('model.initialState')}
              value={value.initialStateId}
              choices={value.states.map((state) => ({ id: state.id, name: model.nameOf(state) }))}
              onChange={(initialStateId) => put({ initialStateId })}
            />
            <NamedList
              title={t('form.states')}
              addTitle={t('model.addState')}
              items={value.states}
              onChange={(states) => put({ states: [...states] })}
              onRemove={(id) => put(withoutState(value, id))}
            />
          </section>
        )}
      </div>
      {isApplying && (
        <ApplyDialog
          change={{
            preview: async () => (await call('POST /api/v1/workflows/:id/preview', { params, body: value })).body,
            apply: async () => void (await call('PUT /api/v1/workflows/:id', { params, body: value })),
            onDone: draft.drop,
          }}
          onClose={() => setApplying(false)}
        />
      )}
    </>
  )
}
