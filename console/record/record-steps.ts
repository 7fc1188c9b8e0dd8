// Undo steps of a whole record: it is made, moved to another state, or restored.
import type { Transition } from '../../src/core/model/rules/workflow.ts'
import type { Call } from '../api/call.ts'
import type { Console } from '../state/console.ts'
import type { Step } from '../state/undo.ts'
import { t } from '../words/place.ts'
import type { RestoreBody } from './past.ts'
import { transitionName } from './transition-name.ts'

/** Returns the step of making a record: undo deletes the record, which can be restored. */
export function stepOfMaking({ call }: Console, id: string, name: string, onDone: () => void): Step {
  const params = { id }
  let version = 0
  return {
    name: t('record.stepMade', { name }),
    undo: async () => {
      version = await versionOf(call, id)
      await call('DELETE /api/v1/records/:id', { params, ifMatch: `"${version}"` })
      onDone()
    },
    redo: async () => {
      await call('POST /api/v1/records/:id/restore', { params, body: { version } })
      onDone()
    },
  }
}

/** Returns the step of a transition; undefined: the workflow has no transition back. */
export function stepOfMoving(
  { call, model }: Console,
  id: string,
  workflowId: string,
  taken: Transition,
  onDone: () => void,
): Step | undefined {
  const back = model.workspace
    .peek()
    ?.workflows.get(workflowId)
    ?.transitions.find((one) => one.fromStateId === taken.toStateId && one.toStateId === taken.fromStateId)
  if (back === undefined) return undefined
  const take = async (transitionId: string): Promise<void> => {
    await call('POST /api/v1/records/:id/transition', { params: { id }, body: { transitionId } })
    onDone()
  }
  return { name: transitionName(model, workflowId, taken), undo: () => take(back.id), redo: () => take(taken.id) }
}

/** @param before the version of the record before the restore */
export function stepOfRestoring(
  { call }: Console,
  id: string,
  body: RestoreBody,
  before: number,
  onDone: () => void,
): Step {
  const restore = async (version: number): Promise<void> => {
    await call('POST /api/v1/records/:id/restore', { params: { id }, body: { ...body, version } })
    onDone()
  }
  return { name: t('record.stepRestored'), undo: () => restore(before), redo: () => restore(body.version) }
}

async function versionOf(call: Call, id: string): Promise<number> {
  const query = { include: 'version' }
  return (await call('GET /api/v1/records/:id', { params: { id }, query })).body.version!
}
