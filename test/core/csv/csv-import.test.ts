// What a csv export writes, an import reads back: the same values, whatever they are. Contract 2 §6, 2 §7.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { columnsOf, readRowHead, readRowValues } from '../../../src/core/csv/csv-row.ts'
import { readCsvHeader } from '../../../src/core/csv/csv-header.ts'
import {
  createFlatten,
  exportedAttributes,
  type ExportedRecord,
} from '../../../src/core/records/rules/exported-record.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { RecordHead, ValueLayers, Values } from '../../../src/core/records/rules/record.ts'
import { scopeKey } from '../../../src/core/scopes/scope.ts'
import { FaultList } from '../../../src/core/values/value-fault.ts'
import { readValues, withoutEmptyAttributes } from '../../../src/core/values/values.ts'
import { writeCsv } from '../../../src/exports/formats/csv.ts'
import { CsvRowEnds, readCells } from '../../../src/imports/readers/csv-rows.ts'
import { splitLines } from '../../../src/kernel/json/line-splitter.ts'
import { drawnRecords, storedValues } from '../../helpers/drawn-records.ts'
import { AT, exportModel as model } from '../../helpers/export-model.ts'

const admin = BUILT_IN_ROLES[0]!
const schemas = [...model.schemas.values()]
const flatten = createFlatten({ model, role: admin, dimensionScope: null, variantValues: 'effective' })

function headOf(index: number, schemaId: string, parentId: string | null): RecordHead {
  const moments = { createdAt: AT, updatedAt: AT, createdBy: 'usr-1', updatedBy: 'usr-1' }
  return { id: `ent-${index}`, schemaId, parentId, lifecycleStateId: 'state-draft', ...moments }
}

function write(exported: readonly ExportedRecord[]): string {
  const attributes = schemas.flatMap((schema) => exportedAttributes(schema, admin))
  const writer = writeCsv({ isFlat: false, spreadsheetSafe: false, attributes, dimensions: model.dimensions })
  exported.forEach(writer.survey!)
  return writer.begin() + writer.write(exported) + writer.end()
}

/** What the rows of the csv say of the values of each record. */
async function read(csv: string): Promise<{ ids: unknown[]; values: Values[] }> {
  const rows: (string | null)[][] = []
  const chunks = (async function* () {
    yield Buffer.from(csv)
  })()
  for await (const some of splitLines(chunks, 1e9, new CsvRowEnds()))
    for (const { bytes } of some) rows.push(readCells(bytes!.toString()))
  const header = readCsvHeader(rows.shift() as string[], schemas, model)
  const ids = rows.map((cells) => readRowHead(cells, header).id)
  const values = rows.map((cells) => {
    const schema = model.schemas.get(readRowHead(cells, header).schemaId!)!
    const columns = columnsOf(header, schema, model)
    const faults = new FaultList()
    const given = readRowValues(cells, columns, faults)
    faults.assertNone()
    return withoutEmptyAttributes(readValues(given, schema, model))
  })
  return { ids, values }
}

/** Scoped values have no order. */
function sorted(values: Values): Values {
  const inOrder = Object.entries(values).map(([alias, scoped]): [string, Values[string]] => [
    alias,
    scoped.toSorted((one, other) => (scopeKey(one.scope) < scopeKey(other.scope) ? -1 : 1)),
  ])
  return Object.fromEntries(inOrder.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

describe('An export as csv that is imported', () => {
  it('has the same values, of every data type and in every scope', async () => {
    const property = fc.asyncProperty(drawnRecords, async (drawn) => {
      const layers = drawn.map(({ own }): ValueLayers => ({ own: storedValues(own), inherited: null }))
      const exported = layers.map((layer, index) => flatten(headOf(index, drawn[index]!.schemaId, null), layer))
      const { ids, values } = await read(write(exported))
      assert.deepEqual(
        ids,
        drawn.map((_, index) => `ent-${index}`),
      )
      assert.deepEqual(
        values.map(sorted),
        layers.map(({ own }) => sorted(own)),
      )
    })
    await fc.assert(property, { numRuns: 500 })
  })

  it('of own values has those of variants as they are, also where they equal the inherited ones', async () => {
    const flattenOwn = createFlatten({ model, role: admin, dimensionScope: null, variantValues: 'own' })
    const property = fc.asyncProperty(drawnRecords, async (drawn) => {
      const layers = drawn.map(({ own, inherited }): ValueLayers => ({
        own: storedValues(own),
        inherited: inherited && storedValues(inherited),
      }))
      const headAt = (index: number) => headOf(index, drawn[index]!.schemaId, layers[index]!.inherited && 'ent-p')
      const { values } = await read(write(layers.map((layer, index) => flattenOwn(headAt(index), layer))))
      assert.deepEqual(
        values.map(sorted),
        layers.map(({ own }) => sorted(own)),
      )
    })
    await fc.assert(property, { numRuns: 300 })
  })
})
