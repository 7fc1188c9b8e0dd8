// The use cases of workflows. Contract 1 §2.4, 1 §3.1, 2 §3. A state stays while records are in it, or a rule of
// required values names it.
import type * as v from 'valibot'
import { conflict, invalid, type PimletError } from '../../kernel/errors.ts'
import type { Model, Schema } from './rules/model.ts'
import { describeJob, findRequiringAttribute } from './rules/usage.ts'
import { defineWorkflow, removedStates, type Workflow, type WorkflowInput } from './rules/workflow.ts'
import type { ModelEffects } from './rules/model-preview.ts'
import { eachOf } from '../../store/each-of.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { isSameValue } from '../../kernel/text.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { type ModelChanger, noteModelChange } from './model-entries.ts'
import { assertWorkflowRests } from './changes/interference.ts'

type Input = v.InferOutput<typeof WorkflowInput>

export function createWorkflowService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /** In the order of creation. */
    list: (_caller: Caller): AsyncGenerator<readonly Workflow[], void> => store.read.workflows.pages(),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, id: string): Promise<Workflow> => store.read.workflows.find(id),

    /** @throws VALIDATION_ERROR, CONFLICT for an ID that exists */
    async create(caller: Caller, input: Input): Promise<Workflow> {
      const workflow = defineWorkflow(input.id ?? system.newId('wf'), input)
      return store.transaction(async (tx) => {
        assertRolesExist(workflow, await tx.model())
        await tx.workflows.insert(workflow)
        noteModelChange(tx, system, caller, { entityType: 'workflow', after: workflow })
        return keepAnswer(tx, caller, workflow)
      })
    },

    /** @throws NOT_FOUND, VALIDATION_ERROR, CONFLICT for removing a state that is in use */
    async replace(caller: Caller, id: string, input: Input): Promise<Workflow> {
      const after = defineWorkflow(id, input)
      return store.transaction(async (tx) => {
        const before = await tx.workflows.find(id)
        await assertWorkflowRests(tx, id)
        const model = await tx.model()
        assertRolesExist(after, model)
        const removed = removedStates(before, after)
        await assertStatesUnused(tx, model, before, removed)
        await assertNotExported(tx, model, before, removed)
        await tx.workflows.update(after)
        noteModelChange(tx, system, caller, { entityType: 'workflow', before, after })
        // The workflow decides which states are scored, and which state is the default.
        if (!isSameValue(scoredBy(before), scoredBy(after)))
          for (const schema of schemasOf(model, id)) await tx.records.reindex(schema.id)
        return after
      })
    },

    /**
     * Previews the effects of a replacement on the records of the workflow's schemas; nothing is changed.
     * @throws NOT_FOUND, VALIDATION_ERROR; UNAVAILABLE if the preview exceeds its time
     */
    async preview(
      { role, id: callerId }: Caller,
      id: string,
      input: Input,
      signal: AbortSignal,
    ): Promise<ModelEffects> {
      const workflow = defineWorkflow(id, input)
      await store.read.workflows.find(id)
      const model = await store.read.model()
      assertRolesExist(workflow, model)
      const schemaIds = schemasOf(model, id).map((schema) => schema.id)
      return store.read.preview({ workflow, schemaIds, role, callerId }, signal)
    },

    /** @throws NOT_FOUND, CONFLICT while a schema uses it, or an export job names a state of it */
    delete: (caller: Caller, id: string): Promise<void> =>
      store.transaction((tx) => removeWorkflow(tx, { system, caller }, id)),
  }
}

/** @throws as deleting a workflow does */
export async function removeWorkflow(
  tx: Transaction,
  { system, caller, origin }: ModelChanger,
  id: string,
): Promise<void> {
  const workflow = await tx.workflows.find(id)
  await assertWorkflowRests(tx, id)
  const model = await tx.model()
  const [schema] = schemasOf(model, id)
  if (schema !== undefined) throw conflict(`The workflow '${id}' is used by the schema '${schema.id}'`)
  const stateIds = workflow.states.map((state) => state.id)
  await assertNotExported(tx, model, workflow, stateIds)
  await tx.workflows.delete(id)
  noteModelChange(tx, system, caller, { entityType: 'workflow', before: workflow, origin })
}

function scoredBy({ states, transitions }: Workflow): object {
  return [
    states.map((state) => state.id),
    transitions.map(({ fromStateId, toStateId, requiresCompleteness }) => [
      fromStateId,
      toStateId,
      requiresCompleteness,
    ]),
  ]
}

function assertRolesExist(workflow: Workflow, { roles }: Model): void {
  workflow.transitions.forEach((transition, index) => {
    const unknown = transition.allowedRoleIds.find((roleId) => !roles.has(roleId))
    if (unknown !== undefined) throw invalid(`transitions[${index}].allowedRoleIds names the unknown role '${unknown}'`)
  })
}

async function assertStatesUnused(
  tx: Transaction,
  model: Model,
  workflow: Workflow,
  stateIds: readonly string[],
): Promise<void> {
  const removed = new Set(stateIds)
  for (const schema of schemasOf(model, workflow.id)) {
    const used = findRequiringAttribute(schema, removed) ?? (await findHeldRecords(tx, schema, stateIds))
    if (used !== undefined) throw usedState(workflow, used.stateId, used.use)
  }
}

function usedState(workflow: Workflow, stateId: string, use: string): PimletError {
  return conflict(`The state '${stateId}' of the workflow '${workflow.id}' is used by ${use}`)
}

/**
 * Checks that no export job names a removed state. A state of another workflow may go, because jobs name states of any
 * workflow.
 */
async function assertNotExported(
  tx: Transaction,
  { workflows }: Model,
  workflow: Workflow,
  stateIds: readonly string[],
): Promise<void> {
  const others = [...workflows.values()].filter(({ id }) => id !== workflow.id)
  const kept = new Set(others.flatMap(({ states }) => states.map((state) => state.id)))
  const gone = new Set(stateIds.filter((stateId) => !kept.has(stateId)))
  for await (const job of eachOf(tx.exportJobs)) {
    const stateId = job.includeLifecycleStateIds?.find((id) => gone.has(id))
    if (stateId !== undefined) throw usedState(workflow, stateId, describeJob(job))
  }
}

async function findHeldRecords(tx: Transaction, schema: Schema, stateIds: readonly string[]) {
  for (const stateId of stateIds) {
    const count = await tx.records.count({ schemaId: schema.id, lifecycleStateId: stateId })
    if (count > 0) return { stateId, use: `${count} record${count === 1 ? '' : 's'} of the schema '${schema.id}'` }
  }
  return undefined
}

function schemasOf({ schemas }: Model, workflowId: string): Schema[] {
  return [...schemas.values()].filter((schema) => schema.workflowId === workflowId)
}
