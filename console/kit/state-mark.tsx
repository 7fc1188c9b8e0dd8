// A state of the lifecycle: the filled part of the ring shows the progress in the workflow. The name is beside it.
import { useConsole } from '../state/context.ts'

interface StateMarkProps {
  readonly workflowId: string
  readonly stateId: string
}

export function StateMark({ workflowId, stateId }: StateMarkProps) {
  const { model } = useConsole()
  const states = model.workspace.value?.workflows.get(workflowId)?.states ?? []
  return (
    <span class="state-mark">
      <StateRing at={states.findIndex(({ id }) => id === stateId)} count={states.length} />
      <span dir="auto">{model.stateName(workflowId, stateId)}</span>
    </span>
  )
}

/** @param at index among the states of the workflow */
export function StateRing({ at, count }: { readonly at: number; readonly count: number }) {
  const part = Math.round((100 * Math.max(at, 0)) / Math.max(count - 1, 1))
  return <span class={`state-ring ${stageOf(at, count)}`} style={{ '--part': `${part}%` }} aria-hidden="true" />
}

/** The class of a state in the styles. */
export function stageOf(at: number, count: number): 'first' | 'middle' | 'last' {
  if (at <= 0) return 'first'
  return at === count - 1 ? 'last' : 'middle'
}
