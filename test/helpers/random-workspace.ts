// Makes the workspace that `random-operations.ts` asks about.
import type { Client } from './client.ts'
import { EXPORT_JOBS } from './random-jobs.ts'
import { COMBINATIONS, language, market, REVIEWED, schemaA, schemaB, workflowB } from './random-model.ts'
import { everywhere, make } from './shirts.ts'

export async function defineModel(admin: Client): Promise<void> {
  await make(admin, '/api/v1/dimensions', language(['en', 'de', 'fr']))
  await make(admin, '/api/v1/dimensions', market(['eu', 'us']))
  await make(admin, '/api/v1/workflows', workflowB({ hasHeld: false, isGated: true, isTurned: false }))
  const variable = { isSlugUnique: true, hasExtra: true, most: 100, colors: ['red', 'green', 'blue'], tags: 'tags' }
  await make(admin, '/api/v1/schemas', schemaA({ ...variable, nameIn: REVIEWED, combinations: COMBINATIONS }))
  const other = { isTitleUnique: false, hasSize: true, isCounted: true, workflowId: 'wf-b', titleIn: ['done'] }
  await make(admin, '/api/v1/schemas', schemaB(other))
  for (const id of ['cat-a', 'cat-b']) await make(admin, '/api/v1/catalogs', { id, name: id })
  for (const n of Array(6).keys())
    await make(admin, '/api/v1/catalogs/cat-a/categories', {
      id: `c-${n}`,
      name: 'C',
      parentId: n % 3 === 2 ? 'c-0' : null,
    })
  for (const n of Array(20).keys())
    await make(admin, '/api/v1/records', { id: `r-${n}`, schemaId: 'sch-a', values: { count: everywhere(n) } })
}

export async function defineExports(admin: Client, directory: string): Promise<void> {
  const rules = [
    { delta: {} },
    { delta: {}, schemaId: 'sch-a', includeVariants: false },
    {
      selection: {
        schemaId: 'sch-b',
        criteria: [{ field: 'completeness', operator: 'lt', value: 100 }],
        criteriaOperator: 'and',
      },
    },
  ]
  const common = {
    name: 'J',
    destinationType: 'puppet',
    destinationConfig: { behaviour: 'deliver', directory, token: 't' },
  }
  for (const [n, id] of EXPORT_JOBS.entries())
    await make(admin, '/api/v1/export-jobs', {
      id,
      ...common,
      format: 'jsonl',
      schedule: '0 3 1 1 *',
      includeVariants: true,
      compress: false,
      filenameTemplate: '{runId}.jsonl',
      ...rules[n],
    })
}
