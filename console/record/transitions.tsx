// The state of a record, and its transitions. Transitions that the role may never take are absent. A closed transition
// shows the reason, and links to its field. R6.
import { useState } from 'preact/hooks'
import type { AvailableTransition } from '../../src/core/records/rules/transition.ts'
import { Button } from '../kit/button.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import { Icon } from '../kit/icon.tsx'
import { StateMark } from '../kit/state-mark.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { list } from '../words/words.ts'
import { useRoleNames } from '../state/role-names.ts'
import { toSave } from './changes.ts'
import { MissingFields, useMissingCount } from './missing-list.tsx'
import { stepOfMoving } from './record-steps.ts'
import { transitionName } from './transition-name.ts'
import { useRecord } from './use-record.ts'

export function Transitions() {
  const { model } = useConsole()
  const { form, schema, mayWrite } = useRecord()
  const [open, setOpen] = useState<string | undefined>(undefined)
  const move = useMove()
  const record = form.stored.value?.record
  if (record === undefined) return null
  const transitions = mayWrite ? (record.transitions ?? []) : []
  const explained = transitions.find(({ id, allowed }) => id === open && !allowed)
  return (
    <div class="transitions">
      <span class="state">
        <StateMark workflowId={schema.workflowId} stateId={record.lifecycleStateId} />
      </span>
      {transitions.map((transition) =>
        transition.allowed ? (
          <Button
            key={transition.id}
            icon="forward"
            isBusy={move.busy === transition.id}
            onClick={() => void move.run(transition)}
          >
            <bdi>{transitionName(model, schema.workflowId, transition)}</bdi>
          </Button>
        ) : (
          <button
            key={transition.id}
            type="button"
            class="button closed"
            aria-expanded={open === transition.id}
            onClick={() => setOpen(open === transition.id ? undefined : transition.id)}
          >
            <Icon name="lock" />
            <bdi>{transitionName(model, schema.workflowId, transition)}</bdi> <span class="quiet">{t('closed')}</span>
          </button>
        ),
      )}
      {explained !== undefined && <WhyClosed transition={explained} />}
    </div>
  )
}

function WhyClosed({ transition }: { readonly transition: AvailableTransition }) {
  const roles = useRoleNames(transition.allowedRoleIds)
  const countOf = useMissingCount()
  return (
    <div class="why-closed" role="status">
      {transition.reasons.includes('role') && <p>{t('record.needsRole', { roles: list(roles) })}</p>}
      {transition.reasons.includes('completeness') && (
        <>
          <p>{t('record.needsValues', { count: countOf(transition.missing) })}</p>
          <MissingFields missing={transition.missing} />
        </>
      )}
    </div>
  )
}

/** Typed values are saved first: the transition may require them. */
function useMove() {
  const console = useConsole()
  const { call, model, offline, status, undo } = console
  const { form, saver, schema, renew } = useRecord()
  const [busy, setBusy] = useState<string | undefined>(undefined)
  const run = async (transition: AvailableTransition): Promise<void> => {
    const { id: transitionId } = transition
    setBusy(transitionId)
    try {
      if (toSave(form.changes.peek()).length > 0 && !(await saver.save())) return
      const params = { id: form.recordId }
      await offline.write(() => call('POST /api/v1/records/:id/transition', { params, body: { transitionId } }))
      const step = stepOfMoving(console, form.recordId, schema.workflowId, transition, renew)
      if (step !== undefined) undo.push(step)
      status.tell(t('record.moved', { name: transitionName(model, schema.workflowId, transition) }))
    } catch (error) {
      status.complain(sayFailure(error as Error))
    } finally {
      setBusy(undefined)
      renew()
    }
  }
  return { busy, run }
}
