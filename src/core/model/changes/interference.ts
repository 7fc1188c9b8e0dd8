// Refuses changes of the model that cannot be made while another change is under way. Contract 2 §3.
import type { SchemaDefinition } from '../rules/model.ts'
import { conflict } from '../../../kernel/errors.ts'
import type { ModelChange } from '../rules/model-change.ts'
import { findDimensionUse } from '../rules/usage.ts'
import type { Transaction } from '../../../store/port.ts'

/**
 * @param after the new definition, if the schema is replaced
 * @throws CONFLICT while the schema, or a dimension of it, is changed
 */
export async function assertSchemaRests(tx: Transaction, schemaId: string, after?: SchemaDefinition): Promise<void> {
  for (const change of await tx.modelChanges.list()) {
    if (change.kind === 'schema' && change.before.id === schemaId) throw busy(change)
    if (change.kind === 'dimension' && after !== undefined && findDimensionUse([after], change.before.id) !== undefined)
      throw busy(change)
  }
}

/** @throws CONFLICT while the dimension, or a schema that uses it, is changed */
export async function assertDimensionRests(tx: Transaction, dimensionId: string): Promise<void> {
  for (const change of await tx.modelChanges.list()) {
    if (change.kind === 'dimension' && change.before.id === dimensionId) throw busy(change)
    if (change.kind === 'schema' && findDimensionUse([change.before, change.after], dimensionId) !== undefined)
      throw busy(change)
  }
}

/** @throws CONFLICT while a schema is changed that uses the workflow before or after the change */
export async function assertWorkflowRests(tx: Transaction, workflowId: string): Promise<void> {
  for (const change of await tx.modelChanges.list())
    if (change.kind === 'schema' && [change.before, change.after].some((schema) => schema.workflowId === workflowId))
      throw busy(change)
}

function busy({ kind, before }: ModelChange): Error {
  return conflict(`The ${kind} '${before.id}' is being changed: try again when that is done`)
}
