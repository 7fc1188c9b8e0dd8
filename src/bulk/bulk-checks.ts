// Checks before a bulk job is queued: whether the caller has the permissions, and whether a job can be undone. Contract
// 3 §2.
import { aliasesOf, type BulkAction, permissionsOf } from './rules/bulk-actions.ts'
import {
  type BulkJob,
  type BulkSelection,
  type BulkTask,
  hasEnded,
  type ImportTask,
} from '../core/jobs/rules/bulk-job.ts'
import { DETACHING } from './detaching.ts'
import { assertPermission, attributeAccess, type Permission, type Role } from '../core/accounts/rules/permissions.ts'
import { conflict, denied } from '../kernel/errors.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { Reads } from '../store/port.ts'
import { assertMayFind, searchedSchemas } from '../core/search/rules/searched-schemas.ts'
import { questionOf } from '../core/search/rules/selection.ts'

/** @throws PERMISSION_DENIED, VALIDATION_ERROR */
export function assertMayAct(model: Model, role: Role, selection: BulkSelection, actions: readonly BulkAction[]): void {
  for (const permission of permissionsOf(actions)) assertPermission(role, permission)
  const query = 'query' in selection ? selection.query : undefined
  if (query !== undefined) {
    assertPermission(role, 'records.read')
    questionOf(query, 'selection.query.')
    assertMayFind(model, role, query, 'selection.query.')
  }
  const schemas = searchedSchemas(model, query?.schemaId ?? undefined)
  for (const alias of aliasesOf(actions)) {
    const having = schemas.filter((schema) => schema.attribute(alias) !== undefined)
    const mayWrite = having.some((schema) => attributeAccess(role, schema.id, alias) === 'write')
    // If only some schemas are writable, each record is checked by itself.
    if (having.length > 0 && !mayWrite) throw denied(`Your role may not write the attribute '${alias}'`)
  }
}

/** @throws CONFLICT */
export async function assertCanBeUndone(tx: Reads, job: BulkJob): Promise<void> {
  const { id, kind, undoneBy, firstVersion } = job
  if (!hasEnded(job)) throw conflict(`The bulk job '${id}' has not ended yet`)
  if (undoneBy !== null) throw conflict(`The bulk job '${id}' is undone already, by '${undoneBy}'`)
  if (kind !== 'bulk' && kind !== 'import')
    throw conflict(`The bulk job '${id}' is of the kind ${kind}: it cannot be undone`)
  if (job.dryRun) throw conflict(`The bulk job '${id}' was a dry run: it has changed nothing`)
  if (firstVersion === null) return
  const [first] = await tx.audit.listAfter(firstVersion - 1, 1)
  if (first?.version !== firstVersion)
    throw conflict(`The history of the records that the bulk job '${id}' changed is no longer kept (--keep-audit-days)`)
}

function permissionsOfTask(task: BulkTask): readonly Permission[] {
  if (task.kind === 'detach') return DETACHING
  if (task.kind === 'import') return permissionsOfMade(task)
  return task.kind === 'bulk' ? permissionsOf(task.actions) : []
}

function permissionsOfMade({ made }: ImportTask): readonly Permission[] {
  const categories = [...(made?.categories ?? []), ...(made?.model?.categories ?? [])]
  const hasModel = made?.model !== undefined || Object.keys(made?.options ?? {}).length > 0
  return [
    ...(hasModel ? (['model.write'] as const) : []),
    ...(categories.length > 0 ? (['categories.write'] as const) : []),
  ]
}

/** @throws PERMISSION_DENIED */
export function assertMayUndo(role: Role, task: BulkTask): void {
  for (const permission of permissionsOfTask(task))
    assertPermission(role, permission === 'records.delete' ? 'records.create' : permission)
}
