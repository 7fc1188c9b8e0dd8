// That of the large lines of an import one is in memory at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportLine } from '../../src/imports/rules/import-outcome.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { createImportService } from '../../src/imports/import-service.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { openTestedStore } from '../helpers/tested-database.ts'
import { insertModel } from '../store/contract/fixtures.ts'

test('A large line is written before the next one is read', async (context) => {
  const store = await openTestedStore()
  context.after(() => store.close())
  await store.transaction(insertModel)
  const seen: boolean[] = []
  const line = (n: number): ImportLine => ({
    line: n,
    size: 70_000,
    kind: 'body',
    body: { id: `ent-${n}`, schemaId: 'sch-a', values: {} },
  })
  const read = async function* (): AsyncGenerator<ImportLine[]> {
    for (const n of [1, 2, 3]) {
      yield [line(n)]
      seen.push((await store.read.records.get(`ent-${n}`)) !== undefined)
    }
  }
  const caller = { id: 'usr-1', role: BUILT_IN_ROLES[0]! }
  const importFiles = { readBody: () => ({ lines: read(), dialect: () => undefined }) }
  const imports = createImportService({ store, system, maxRecords: 0, importFiles: importFiles as never })
  const result = await imports.run(
    caller as never,
    { format: 'ndjson' } as never,
    { mode: 'create', dryRun: false },
    AbortSignal.timeout(60_000),
  )
  assert.deepEqual([result.created, seen], [3, [true, true, true]])
})
