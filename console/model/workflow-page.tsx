// One workflow: its states, and a matrix of the roles that may move records between states. Contract 2 §3, 3 §11.
import { useState } from 'preact/hooks'
import { withKnownNames } from '../../src/core/model/rules/known-names.ts'
import { TextField } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { hinted, t } from '../words/place.ts'
import { ApplyHead, aboveOf } from './apply-head.tsx'
import { NamedList } from './named-list.tsx'
import { WorkflowMatrix } from './matrix.tsx'
import { type StoredWorkflow, withoutState } from './workflow-matrix.ts'

export function WorkflowPage() {
  const { call, model, router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const mayNameRoles = model.may('users.manage')
  const query = useQuery(`model workflow ${id}`, async (signal) => {
    const [workflow, roles] = await Promise.all([
      call('GET /api/v1/workflows/:id', { params: { id }, signal }),
      mayNameRoles ? call('GET /api/v1/roles', { signal }) : undefined,
    ])
    return { workflow: withKnownNames(workflow.body), roles: roles?.body ?? [] }
  })
  return (
    <>
      {query.data.value === undefined && <PlaceHead title={id} above={aboveOf('workflows')} />}
      <Shown query={query}>{({ workflow, roles }) => <WorkflowEditor workflow={workflow} roles={roles} />}</Shown>
    </>
  )
}

function WorkflowEditor(props: {
  readonly workflow: StoredWorkflow
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}) {
  const { workflow, roles } = props
  const { call, model } = useConsole()
  const draft = useFormDraft<StoredWorkflow>(`workflow ${workflow.id}`, workflow)
  const { value, put } = draft
  const mayWrite = model.may('model.write')
  const params = { id: workflow.id }
  return (
    <>
      <ApplyHead
        place="workflows"
        title={value.name}
        item={workflow}
        draft={draft}
        action={t('apply')}
        remove={() => call('DELETE /api/v1/workflows/:id', { params })}
        preview={async () => (await call('POST /api/v1/workflows/:id/preview', { params, body: value })).body}
        apply={async () => void (await call('PUT /api/v1/workflows/:id', { params, body: value }))}
      />
      <div class="page sections">
        <section>
          <h2>{t('model.transitions')}</h2>
          <WorkflowMatrix workflow={value} roles={roles} mayWrite={mayWrite} onChange={put} />
        </section>
        {mayWrite && (
          <section class="narrow">
            <h2>{t('form.states')}</h2>
            <TextField
              label={t('name')}
              value={value.name}
              hasFocus={workflow.name === t('model.newWorkflow')}
              onInput={(name) => put({ name })}
            />
            <SelectField
              {...hinted('model.initialState')}
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
    </>
  )
}
