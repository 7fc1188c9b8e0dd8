// A task of which nobody may read the values any more.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aliasesOf, type BulkAction, permissionsOf } from '../../../src/bulk/rules/bulk-actions.ts'
import type { BulkTask } from '../../../src/core/jobs/rules/bulk-job.ts'
import { withoutValues } from '../../../src/workspace/erasure/erasure-stages.ts'

const actions: readonly BulkAction[] = [
  { setValues: { name: [{ scope: {}, value: 'Secret' }] } },
  { patchValues: { values: { sku: [{ scope: {}, value: 'Secret' }] }, expect: [{ value: 'Secret' }] } },
  { replaceText: { attributeAlias: 'name', find: 'Secret', replace: 'Secret' } },
  { clearValues: { attributeAliases: ['name'] } },
  { transition: 'tr-submit' },
  { delete: true },
]

it('a task without values says nothing of them, and still what an undo asks', () => {
  const criteria = [{ attributeAlias: 'name', operator: 'equals', value: 'Secret' }] as const
  const query = { criteria, criteriaOperator: 'and', schemaId: null } as const
  const task = { kind: 'bulk', selection: { query }, actions } as unknown as BulkTask
  const emptied = withoutValues(task)
  assert.doesNotMatch(JSON.stringify(emptied), /Secret/)
  assert.ok(emptied.kind === 'bulk')
  assert.deepEqual(permissionsOf(emptied.actions), permissionsOf(actions))
  assert.deepEqual(aliasesOf(emptied.actions), aliasesOf(actions))
  assert.deepEqual(withoutValues(emptied), emptied)
  const undo: BulkTask = { kind: 'undo', jobId: 'job-1' }
  assert.equal(withoutValues(undo), undo)
})
