// The file of a job that exports own values, imported into an empty workspace, makes the same records: variants of drawn records, whose
// values are often those of their parents. Random models are in `random-round-trip.test.ts`. Contract 3 §5 (`variantValues`), 3 §9.8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { dimension } from '../helpers/domain-model.ts'
import { send } from '../helpers/answers.ts'
import { makeJob } from '../helpers/export-jobs.ts'
import { counts, CSV, importFile, lines, NDJSON } from '../helpers/importing.ts'
import { anyScopedValues, nameScope } from '../helpers/scope-oracle.ts'
import { make, type RecordBody, startWorkspace, type Workspace } from '../helpers/shirts.ts'

const LANGUAGE = dimension('language', 'en', 'de')
const MARKET = dimension('market', 'eu', 'us')
const anyText = fc.constantFrom('a', 'b', '', '"', ' x\r\ny,', '=1')

const anyValues = fc.record({
  text: anyScopedValues([LANGUAGE, MARKET], anyText, 4),
  tags: anyScopedValues([MARKET], fc.subarray(['x', 'y']), 3),
  price: anyScopedValues([MARKET], fc.record({ amount: fc.nat(2), currency: fc.constantFrom('EUR', 'USD') }), 3),
  extra: anyScopedValues([], fc.constantFrom<unknown>('', [], {}, { a: null }, 1), 1),
})
/** Parents, each with its variants. */
const anyFamilies = fc.array(fc.record({ values: anyValues, variants: fc.array(anyValues, { maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 12,
  size: 'max',
})

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-drawn',
    name: 'Drawn',
    attributes: [
      { alias: 'text', dataType: 'text', dimensionIds: ['market', 'language'] },
      { alias: 'tags', dataType: 'multiSelect', dimensionIds: ['market'], options: [{ id: 'x' }, { id: 'y' }] },
      { alias: 'price', dataType: 'price', dimensionIds: ['market'] },
      { alias: 'extra', dataType: 'json' },
    ],
  })
})
after(() => shop.stop())

/** What an import can bring back, without an order of scoped values. */
async function readRecords(): Promise<unknown[]> {
  const { body } = await send<{ items: RecordBody[] }>(shop.admin, 'GET', '/api/v1/records?limit=1000')
  return body.items.map(({ id, schemaId, parentId, values }) => {
    const sorted = Object.entries(values).map(([alias, scoped]) => [
      alias,
      scoped.map(({ scope, value }) => JSON.stringify([nameScope(scope), value])).sort(),
    ])
    return { id, schemaId, parentId, values: Object.fromEntries(sorted) as unknown }
  })
}

async function preview(jobId: string): Promise<string> {
  const { url, headers } = shop.admin
  const response = await fetch(`${url}/api/v1/export-jobs/${jobId}/preview`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"limit":100}',
  })
  assert.equal(response.status, 200)
  return response.text()
}

async function deleteRecords(): Promise<void> {
  const { body } = await send<{ items: RecordBody[] }>(shop.admin, 'GET', '/api/v1/records?parentId=none&limit=1000')
  const answers = await Promise.all(body.items.map(({ id }) => send(shop.admin, 'DELETE', `/api/v1/records/${id}`)))
  assert.ok(answers.every(({ status }) => status === 204))
}

describe('An export of own values', () => {
  for (const [format, type] of [
    ['csv', CSV],
    ['jsonl', NDJSON],
  ] as const)
    it(`as ${format}, imported into an empty workspace, makes the same records`, async () => {
      const job = await makeJob(shop.admin, {
        name: 'Own',
        destinationType: 'webhook',
        destinationConfig: { url: 'https://example.com' },
        format,
        schedule: '0 3 1 1 *',
        includeVariants: true,
        variantValues: 'own',
        compress: false,
        filenameTemplate: 'own',
      })
      const property = fc.asyncProperty(anyFamilies, async (families) => {
        await deleteRecords()
        const records = families.flatMap(({ values, variants }, index) => [
          { id: `p-${index}`, schemaId: 'sch-drawn', values },
          ...variants.map((own, at) => ({
            id: `p-${index}-v-${at}`,
            schemaId: 'sch-drawn',
            parentId: `p-${index}`,
            values: own,
          })),
        ])
        assert.equal((await importFile(shop.admin, lines(...records))).created, records.length)
        const first = await readRecords()
        const text = await preview(job.id)
        await deleteRecords()
        assert.deepEqual(counts(await importFile(shop.admin, text, '', type)), [records.length, 0, 0, 0])
        assert.deepEqual(await readRecords(), first)
        const again = await importFile(shop.admin, text, 'mode=upsert', type)
        assert.deepEqual(counts(again), [0, 0, records.length, 0])
      })
      // Each takes long: a failure is told as it is, without others that are smaller.
      await fc.assert(property, { numRuns: 3, endOnFailure: true })
    })
})
