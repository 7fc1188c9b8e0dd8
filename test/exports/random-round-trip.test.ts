// An export of own values, imported into an empty workspace, makes the same records: random models and records of them, in each format
// that an import reads. Contract 3 §4, 3 §5 (`variantValues`).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { XLSX_TYPE } from '../../src/domain/imports/media-types.ts'
import { send } from '../helpers/answers.ts'
import { anyWorkspace, type DrawnWorkspace } from '../helpers/drawn-model.ts'
import { counts, CSV, importFile, lines, NDJSON } from '../helpers/importing.ts'
import { nameScope } from '../helpers/scope-oracle.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { make, type RecordBody } from '../helpers/shirts.ts'

const ROUNDS = Number(process.env['TEST_ROUND_TRIPS'] ?? 3)
const FORMATS = [
  ['csv', CSV],
  ['jsonl', NDJSON],
  ['xlsx', XLSX_TYPE],
] as const

let server: TestServer
before(async () => {
  server = await startServer({ maxRecords: 0 })
})
after(() => server.stop())

/** What an import can bring back, without an order of records and of scoped values. */
async function readRecords(): Promise<unknown[]> {
  const { body } = await send<{ items: RecordBody[] }>(server.admin, 'GET', '/api/v1/records?limit=1000&sort=id')
  return body.items.map(({ id, schemaId, parentId, values }) => {
    const sorted = Object.entries(values).map(([alias, scoped]): [string, string[]] => [
      alias,
      scoped.map(({ scope, value }) => `${nameScope(scope)} ${JSON.stringify(value)}`).sort(),
    ])
    return { id, schemaId, parentId, values: Object.fromEntries(sorted) }
  })
}

async function exportAll(format: string): Promise<Buffer> {
  const response = await fetch(`${server.url}/api/v1/records/export`, {
    method: 'POST',
    headers: { ...server.admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ criteria: [], criteriaOperator: 'and', format, variantValues: 'own' }),
  })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

async function remove(path: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { status, text } = await send(server.admin, 'DELETE', `/api/v1/${path}/${id}`)
    assert.equal(status, 204, text)
  }
}
const removeRecords = ({ records }: DrawnWorkspace) =>
  remove(
    'records',
    records.filter(({ parentId }) => parentId === undefined).map(({ id }) => id),
  )

/** An export in each format, into a workspace with the same model and nothing else. */
async function takeRoundTrips(drawn: DrawnWorkspace): Promise<void> {
  const { records } = drawn
  const imported = await importFile(server.admin, lines(...records))
  assert.equal(imported.created, records.length, JSON.stringify(imported.errors))
  const first = await readRecords()
  for (const [format, type] of FORMATS) {
    const file = await exportAll(format)
    const again = await importFile(server.admin, file, 'mode=upsert', type)
    assert.deepEqual(await readRecords(), first, `${format} again`)
    assert.deepEqual(counts(again), [0, 0, records.length, 0], `${format} again: ${JSON.stringify(again.errors)}`)
    await removeRecords(drawn)
    const back = await importFile(server.admin, file, '', type)
    assert.deepEqual(counts(back), [records.length, 0, 0, 0], `${format}: ${JSON.stringify(back.errors)}`)
    assert.deepEqual(await readRecords(), first, format)
  }
  await removeRecords(drawn)
}

describe('An export of own values, imported into an empty workspace', () => {
  it('makes the same records, whatever the model and its values are', async () => {
    const property = fc.asyncProperty(anyWorkspace, async (drawn) => {
      for (const body of drawn.dimensions) await make(server.admin, '/api/v1/dimensions', body)
      for (const body of drawn.schemas) await make(server.admin, '/api/v1/schemas', body)
      try {
        await takeRoundTrips(drawn)
      } finally {
        for (const { id } of drawn.records) await send(server.admin, 'DELETE', `/api/v1/records/${id}`)
        await remove(
          'schemas',
          drawn.schemas.map(({ id }) => id),
        )
        await remove(
          'dimensions',
          drawn.dimensions.map(({ id }) => id),
        )
      }
    })
    await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true })
  })
})
