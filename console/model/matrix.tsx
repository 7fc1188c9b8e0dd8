// The matrix from × to of a workflow; below it, the form of the chosen transition.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { language, list } from '../words/words.ts'
import { own } from '../../src/kernel/own.ts'
import { withName } from './named-list.tsx'
import { matrixOf, newTransition, type StoredWorkflow, type Transition, withTransition } from './workflow-matrix.ts'

interface MatrixProps {
  readonly workflow: StoredWorkflow
  /** Roles with names; empty: the user may not see roles, so IDs replace their names. */
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly mayWrite: boolean
  readonly onChange: (changes: Partial<StoredWorkflow>) => void
}

export function WorkflowMatrix(props: MatrixProps) {
  const { workflow, roles, mayWrite, onChange } = props
  const [openId, setOpenId] = useState<string | undefined>(undefined)
  const open = workflow.transitions.find(({ id }) => id === openId)
  const put = (transition: Transition) => {
    onChange({ transitions: withTransition(workflow, transition) })
    setOpenId(transition.id)
  }
  return (
    <>
      <Matrix {...props} openId={openId} onOpen={setOpenId} onAdd={put} />
      {open !== undefined && mayWrite && (
        <TransitionForm
          key={open.id}
          transition={open}
          roles={roles}
          onChange={put}
          onRemove={() => onChange({ transitions: workflow.transitions.filter(({ id }) => id !== open.id) })}
        />
      )}
    </>
  )
}

function Matrix(
  props: Omit<MatrixProps, 'onChange'> & {
    readonly openId: string | undefined
    readonly onOpen: (transitionId: string) => void
    readonly onAdd: (transition: Transition) => void
  },
) {
  const { workflow, roles, mayWrite, openId, onOpen, onAdd } = props
  const { model } = useConsole()
  return (
    <div class="flow-room" tabIndex={-1}>
      <table class="flow">
        <thead>
          <tr>
            <th scope="col">{t('model.fromTo')}</th>
            {workflow.states.map((state) => (
              <th key={state.id} scope="col" dir="auto">
                {model.nameOf(state)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrixOf(workflow).map(({ from, cells }) => (
            <tr key={from.id}>
              <th scope="row" dir="auto">
                {model.nameOf(from)}
                {from.id === workflow.initialStateId && <span class="quiet"> {t('model.initial')}</span>}
              </th>
              {cells.map(({ to, transitions, isSame }) => (
                <td key={to.id} class={isSame ? 'same' : undefined}>
                  {transitions.map((one) => (
                    <TransitionButton
                      key={one.id}
                      transition={one}
                      roles={roles}
                      isOpen={one.id === openId}
                      onOpen={() => onOpen(one.id)}
                    />
                  ))}
                  {mayWrite && !isSame && transitions.length === 0 && (
                    <Button
                      kind="quiet"
                      icon="add"
                      label={t('model.addTransition', { from: model.nameOf(from), to: model.nameOf(to) })}
                      onClick={() => onAdd(newTransition(workflow, from, to, ['role-admin']))}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TransitionButton(props: {
  readonly transition: Transition
  readonly roles: MatrixProps['roles']
  readonly isOpen: boolean
  readonly onOpen: () => void
}) {
  const { model } = useConsole()
  const { allowedRoleIds, requiresCompleteness } = props.transition
  const names = allowedRoleIds.map((id) => props.roles.find((role) => role.id === id)?.name ?? id)
  return (
    <button type="button" class="transition" aria-pressed={props.isOpen} onClick={props.onOpen}>
      <strong dir="auto">
        {requiresCompleteness && <Icon name="lock" />}
        {model.nameOf(props.transition)}
      </strong>
      <span class="quiet">{names.length === 0 ? t('model.nobody') : list(names)}</span>
      {requiresCompleteness && <span class="quiet">{t('model.gate')}</span>}
    </button>
  )
}

function TransitionForm(props: {
  readonly transition: Transition
  readonly roles: MatrixProps['roles']
  readonly onChange: (transition: Transition) => void
  readonly onRemove: () => void
}) {
  const { transition, roles, onChange } = props
  const { model } = useConsole()
  const tongue = language.value
  return (
    <fieldset class="boxed narrow">
      <legend>
        {model.nameOf(transition)} <code class="quiet">{transition.id}</code>
      </legend>
      <TextField
        label={t('name')}
        value={transition.name}
        hasFocus
        onInput={(name) => onChange({ ...transition, name })}
      />
      <TextField
        label={t('model.nameIn')}
        hint={t('hint.model.nameIn')}
        value={own(transition.names, tongue) ?? ''}
        onInput={(name) => onChange({ ...transition, names: withName(transition.names, tongue, name) })}
      />
      <IdsField
        {...hinted('model.roles')}
        options={roles}
        ids={transition.allowedRoleIds}
        onChange={(allowedRoleIds) => onChange({ ...transition, allowedRoleIds })}
      />
      <Checkbox
        {...hinted('model.requiresCompleteness')}
        isChecked={transition.requiresCompleteness}
        onChange={(requiresCompleteness) => onChange({ ...transition, requiresCompleteness })}
      />
      <div class="row">
        <Button kind="bad" onClick={props.onRemove}>
          {t('model.removeTransition')}
        </Button>
      </div>
    </fieldset>
  )
}
