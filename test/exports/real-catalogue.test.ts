// A real catalogue, with its gaps and oddities, exported in every format and compared value by value.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it, after } from 'node:test'
import * as v from 'valibot'
import { defineDimension, DimensionInput } from '../../src/core/model/rules/dimension.ts'
import { TEXT_FORMATS } from '../../src/exports/rules/export-format.ts'
import type { Model } from '../../src/core/model/rules/model.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { effectiveValueIn, type ValueLayers } from '../../src/core/records/rules/record.ts'
import { defineSchema, SchemaInput } from '../../src/core/model/rules/schema.ts'
import { combinationsOf, type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import { DEFAULT_WORKFLOW } from '../../src/core/model/rules/workflow.ts'
import { createRenderer, type Renderer } from '../../src/exports/rendering/render-client.ts'
import type { ExportSelection } from '../../src/exports/rendering/render-messages.ts'
import type { Transaction } from '../../src/store/port.ts'
import { AT } from '../helpers/export-model.ts'
import { parsers } from '../helpers/export-parsers.ts'
import { everything, type ExportStore, openExportStore, storeRecords } from '../helpers/export-store.ts'
import {
  type CatalogueRecord,
  readRealCatalogue,
  type RealCatalogue,
  withRealCatalogue,
} from '../helpers/real-catalogue.ts'
import { buildModel } from '../helpers/build-model.ts'

describe('Exports of the real catalogue', withRealCatalogue, () => {
  let catalogue: RealCatalogue
  let model: Model
  let byId: Map<string, CatalogueRecord>
  let opened: ExportStore
  let renderer: Renderer
  const atTheEnd: (() => Promise<void>)[] = []

  before(async () => {
    catalogue = readRealCatalogue()
    byId = new Map(catalogue.records.map((record) => [record.id, record]))
    const dimensions = catalogue.model.dimensions.map((input) =>
      defineDimension(input.id, v.parse(DimensionInput, input)),
    )
    const parts = { dimensions, workflows: [DEFAULT_WORKFLOW], roles: BUILT_IN_ROLES }
    const before = buildModel({ ...parts, schemas: [] })
    const schemas = catalogue.model.schemas.map((input) =>
      defineSchema(v.parse(SchemaInput, input), { id: input.id, createdAt: AT, updatedAt: AT }, before),
    )
    model = buildModel({ ...parts, schemas })
    const insertModel = async (tx: Transaction): Promise<void> => {
      await tx.workflows.insert(DEFAULT_WORKFLOW)
      for (const role of BUILT_IN_ROLES) await tx.roles.insert(role)
      for (const dimension of dimensions) await tx.dimensions.insert(dimension)
      for (const schema of schemas) await tx.schemas.insert(schema)
    }
    opened = await openExportStore({ after: (work) => atTheEnd.push(work) }, insertModel)
    await storeRecords(opened.store, catalogue.records)
    renderer = opened.closeFirst(createRenderer({ location: opened.store.location, onFault: assert.fail }))
  })
  after(async () => {
    for (const work of atTheEnd) await work()
  })

  async function exported(selection: Partial<ExportSelection>, name: string): Promise<string> {
    const spoolFile = path.join(opened.directory, name)
    const request = { ...everything, ...selection, compress: false, spoolFile }
    const { recordCount } = await renderer.render(request, new AbortController().signal)
    assert.equal(recordCount, 438)
    return readFileSync(spoolFile, 'utf8')
  }

  const layersOf = ({ values, parentId }: CatalogueRecord): ValueLayers => ({
    own: values,
    inherited: parentId === undefined ? null : byId.get(parentId)!.values,
  })

  /** Its own values, and what it inherits in any combination of segments. */
  function scopedValuesOf(record: CatalogueRecord): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const [alias, own] of Object.entries(record.values))
      for (const { scope, value } of own) values[`${alias}[${scopeKey(scope)}]`] = value
    for (const { alias, dimensionIds } of model.schemas.get(record.schemaId)!.attributes)
      for (const combination of combinationsOf(dimensionIds, model.dimensions)) {
        const found = effectiveValueIn(layersOf(record), alias, combination, dimensionIds)
        if (found !== undefined) values[`${alias}[${scopeKey(found.scope)}]`] = found.value
      }
    return values
  }

  function valuesIn(record: CatalogueRecord, scope: Scope): Record<string, unknown> {
    const found = model.schemas.get(record.schemaId)!.attributes.flatMap(({ alias, dimensionIds }) => {
      const value = effectiveValueIn(layersOf(record), alias, scope, dimensionIds)
      return value === undefined ? [] : [[`${alias}[]`, value.value]]
    })
    return Object.fromEntries(found) as Record<string, unknown>
  }

  const fixedOf = ({ id, schemaId, parentId }: CatalogueRecord) => [
    id,
    schemaId,
    parentId ?? null,
    'state-draft',
    AT,
    AT,
  ]

  for (const format of TEXT_FORMATS) {
    it(`carry every value in ${format}`, async () => {
      const parsed = parsers[format](await exported({ format }, `all.${format}`), model)
      assert.deepEqual(
        parsed,
        catalogue.records.map((record) => ({ fixed: fixedOf(record), values: scopedValuesOf(record) })),
      )
      assert.ok(parsed.flatMap(({ values }) => Object.keys(values)).length > 5000)
    })

    it(`carry the value in force in ${format}, for every language and market`, async () => {
      for (const scope of combinationsOf([...model.dimensions.keys()], model.dimensions)) {
        const text = await exported({ format, dimensionScope: scope }, `${scopeKey(scope)}.${format}`)
        assert.deepEqual(
          parsers[format](text, model),
          catalogue.records.map((record) => ({ fixed: fixedOf(record), values: valuesIn(record, scope) })),
        )
      }
    })
  }
})
