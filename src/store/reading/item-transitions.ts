// The transitions that leave a record's state, as a member of the record: scored in steps, as completeness is.
import { type Gate, gateOf, tallyInSteps } from '../../core/records/rules/completeness.ts'
import { gatesToList, listTransitions } from '../../core/records/rules/transition.ts'
import type { ValueLayers } from '../../core/records/rules/record.ts'
import { mayKnow } from '../../core/model/rules/hidden-rules.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'

interface Subject {
  readonly stateId: string
  readonly layers: ValueLayers
  readonly schema: Schema
  readonly model: Model
}

/** JSON of what `listTransitions` says; undefined where others may have their turn. */
export function* transitionPieces(
  { stateId, layers, schema, model }: Subject,
  role: Role,
): Generator<string | undefined, void> {
  // A workflow cannot be deleted while a schema has it.
  const workflow = model.workflows.get(schema.workflowId)!
  const { stateIds, limit } = gatesToList(workflow, stateId)
  const gates = new Map<string, Gate>()
  for (const target of stateIds) {
    const steps = tallyInSteps({ layers, schema, model }, target)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield undefined
    gates.set(target, gateOf(step.value, mayKnow(role, schema.id), limit))
  }
  const transitions = listTransitions(workflow, stateId, role.id, (target) => gates.get(target)!)
  yield `,"transitions":${JSON.stringify(transitions)}`
}
