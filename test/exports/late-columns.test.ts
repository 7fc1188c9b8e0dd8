// A csv has all of its columns, also those that only showed when most of it was written.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { gunzipSync } from 'node:zlib'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { type ExportedRecord, exportedAttributes } from '../../src/core/records/rules/exported-record.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { FormatWriter } from '../../src/exports/formats/format.ts'
import { writeCsv } from '../../src/exports/formats/csv.ts'
import { allOf, renderExport } from '../../src/exports/rendering/rendering.ts'
import { openSnapshot } from '../../src/workspace/storages.ts'
import { AT, exportModel } from '../helpers/export-model.ts'
import { parsers } from '../helpers/export-parsers.ts'
import { everything, openExportStore, type RecordToStore, storeRecords } from '../helpers/export-store.ts'
import { sharedInSuite } from '../helpers/shared-in-suite.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import type { RecordSnapshot, SnapshotRecord } from '../../src/store/snapshot-port.ts'

const never = new AbortController().signal
const everywhere = (value: unknown) => [{ scope: {}, value }]

async function render(snapshot: RecordSnapshot, schemaId: string | null, compress: boolean): Promise<string> {
  const spoolFile = path.join(makeTempDirectory(), 'run')
  writeFileSync(spoolFile, 'what an attempt before has left '.repeat(10_000))
  const request = { ...everything, format: 'csv', schemaId, compress, spoolFile } as const
  const { size } = await renderExport(allOf(snapshot, request), request, { signal: never })
  const bytes = readFileSync(spoolFile)
  assert.equal(bytes.length, size)
  return (compress ? gunzipSync(bytes) : bytes).toString()
}

describe('The columns of a csv export', () => {
  const COUNT = 450
  const snapshot = sharedInSuite(async (suite) => {
    const { store, closeFirst } = await openExportStore(suite)
    const records = Array.from({ length: COUNT }, (_, index): RecordToStore => {
      const id = `ent-${String(index).padStart(3, '0')}`
      return { id, values: { name: [{ scope: { language: 'en' }, value: `Shirt ${index}` }] } }
    })
    const rare = [{ scope: { language: 'de' }, value: 'Hemd' }]
    for (const index of [0, 123, COUNT - 1])
      records[index] = { ...records[index]!, values: { name: rare, stock: everywhere(index) } }
    await storeRecords(store, records)
    await storeRecords(store, [
      { id: 'other-1', schemaId: 'sch-other', values: { weight: everywhere({ amount: 1, currency: 'EUR' }) } },
      { id: 'ent-999', values: { weight: everywhere({ amount: 1, unit: 'kg' }) } },
    ])
    return closeFirst(await openSnapshot(store.location))
  })

  for (const compress of [false, true])
    it(`are all there where few records have them, and every record once, ${compress ? '' : 'not '}compressed`, async () => {
      const text = await render(snapshot(), null, compress)
      const fixed = 'id,schemaId,parentId,lifecycleStateId,createdAt,updatedAt'
      const lines = text.split('\r\n')
      assert.equal(lines[0], `${fixed},name[language=en],name[language=de],stock,weight,weight.currency,weight.unit`)
      assert.equal(lines[124], `ent-123,sch-all,,state-draft,${AT},${AT},,Hemd,123,,,`)
      const ids = parsers.csv(text, exportModel).map((record) => record.fixed[0]!)
      assert.deepEqual([ids.length, new Set(ids).size, ids.at(-1)], [COUNT + 2, COUNT + 2, 'ent-999'])
    })

  it('are looked for in the records of the export only', async () => {
    const [header] = (await render(snapshot(), 'sch-other', false)).split('\r\n')
    assert.match(header!, /updatedAt,weight,weight.currency$/)
  })

  it('do not appear in the middle: records that change while they are written end the export', async () => {
    const valuesOf = ['name', 'link', 'color'].map((alias) => JSON.stringify({ [alias]: everywhere('red') }))
    const head = { schemaId: 'sch-all', parentId: null, lifecycleStateId: 'state-draft', createdAt: AT, updatedAt: AT }
    const changing: RecordSnapshot = {
      model: exportModel,
      count: async () => 1,
      sample: async function* () {},
      batches: async function* () {
        const valuesJson = valuesOf.shift()!
        const by = { createdBy: 'usr-1', updatedBy: 'usr-1', version: 1 }
        yield [{ ...head, ...by, id: 'ent-1', valuesJson, parentValuesJson: null } satisfies SnapshotRecord]
      },
      linked: async () => [],
      close: async () => {},
    }
    await assert.rejects(render(changing, null, false), /were not there before/)
    assert.equal(valuesOf.length, 1)
  })
})

describe('A csv writer', () => {
  const attributes = [...exportModel.schemas.values()].flatMap((schema) =>
    exportedAttributes(schema, BUILT_IN_ROLES[0]!),
  )
  const newWriter = (): FormatWriter =>
    writeCsv({ isFlat: false, spreadsheetSafe: false, attributes, dimensions: exportModel.dimensions })
  const moments = { createdAt: AT, updatedAt: AT, createdBy: 'usr-1', updatedBy: 'usr-1' }
  const head = { id: 'ent-1', schemaId: 'sch-all', parentId: null, lifecycleStateId: 'state-draft', ...moments }
  const scopes: Scope[] = [{}, { language: 'en' }, { language: 'de' }, { market: 'eu', language: 'de' }]
  const value = (attribute: Attribute) =>
    ({ price: { amount: 1, currency: 'EUR' }, measurement: { amount: 1, unit: 'kg' }, multiSelect: ['a.b'] })[
      attribute.dataType as string
    ] ?? 'x'
  const record = fc
    .array(fc.tuple(fc.constantFrom(...attributes), fc.subarray(scopes, { minLength: 1 })), { maxLength: 3 })
    .map((drawn): ExportedRecord => {
      const exported = drawn.map(([attribute, some]) => ({
        attribute,
        values: some.map((scope) => ({ scope, value: value(attribute) })),
      }))
      return { head, attributes: exported }
    })
  const write = (writer: FormatWriter, batches: readonly ExportedRecord[][]): string =>
    writer.begin() + batches.map((batch) => writer.write(batch)).join('') + writer.end()

  it('writes the same, whichever records it was shown before, and begins again once at most', () => {
    const batches = fc.array(fc.array(record, { minLength: 1, maxLength: 4 }), { maxLength: 4 })
    const property = fc.property(batches, fc.infiniteStream(fc.boolean()), (drawn, isShown) => {
      const [informed, guessing] = [newWriter(), newWriter()]
      for (const one of drawn.flat()) {
        informed.survey!(one)
        if (isShown.next().value === true) guessing.survey!(one)
      }
      const expected = write(informed, drawn)
      assert.equal(informed.mustBeginAgain!(), false)
      const first = write(guessing, drawn)
      const text = guessing.mustBeginAgain!() ? write(guessing, drawn) : first
      assert.equal(guessing.mustBeginAgain!(), false)
      assert.equal(text, expected)
    })
    fc.assert(property, { numRuns: 500 })
  })
})
