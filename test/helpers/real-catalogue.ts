// A real catalogue of 438 cars and parts that lies beside some checkouts and is not part of this project. Its
// tests are skipped where it is absent.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Answer, send } from './answers.ts'
import type { Client } from './client.ts'
import { make, type ValuesBody } from './shirts.ts'

const directory = path.resolve(import.meta.dirname, '../..', '../shared/data/cars')

/** Options for node:test. */
export const withRealCatalogue = {
  skip: existsSync(directory)
    ? false
    : 'the real catalogue is missing: not published; where it belongs: test/helpers/real-catalogue.ts',
}

export interface CatalogueRecord {
  readonly id: string
  readonly schemaId: string
  readonly parentId?: string
  readonly values: ValuesBody
}

export interface CatalogueAssignments {
  readonly entityId: string
  readonly categories: readonly { readonly categoryId: string; readonly sortOrder: number }[]
}

export interface RealCatalogue {
  readonly model: {
    readonly dimensions: readonly { readonly id: string }[]
    readonly schemas: readonly { readonly id: string; readonly attributes: readonly { readonly alias: string }[] }[]
    readonly catalogs: readonly { readonly id: string }[]
    readonly categories: readonly { readonly id: string; readonly catalogId: string }[]
  }
  /** Parents come before variants. */
  readonly records: readonly CatalogueRecord[]
  readonly assignments: readonly CatalogueAssignments[]
}

export function readRealCatalogue(): RealCatalogue {
  const text = (name: string): string => readFileSync(path.join(directory, name), 'utf8')
  const lines = (name: string): unknown[] =>
    text(name)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown)
  return {
    model: JSON.parse(text('model.json')) as RealCatalogue['model'],
    records: lines('records.jsonl') as CatalogueRecord[],
    assignments: lines('assignments.jsonl') as CatalogueAssignments[],
  }
}

/**
 * Loads the whole catalogue into an empty workspace over HTTP, in its own order. One record breaks a rule of its schema
 * by a mistyped production year. The record is refused, the rule is widened, and the record is sent again unchanged.
 * @returns the refused record
 */
export async function loadRealCatalogue(
  client: Client,
  { model, records, assignments }: RealCatalogue,
): Promise<{ id: string; answer: Answer<unknown> }[]> {
  for (const dimension of model.dimensions) await make(client, '/api/v1/dimensions', dimension)
  for (const schema of model.schemas) await make(client, '/api/v1/schemas', schema)
  for (const catalog of model.catalogs) await make(client, '/api/v1/catalogs', catalog)
  for (const category of model.categories)
    await make(client, `/api/v1/catalogs/${category.catalogId}/categories`, category)
  const refused: { id: string; answer: Answer<unknown> }[] = []
  for (const record of records) {
    const answer = await send(client, 'POST', '/api/v1/records', record)
    if (answer.status === 201) continue
    refused.push({ id: record.id, answer })
    await widenProductionYear(client, model)
    await make(client, '/api/v1/records', record)
  }
  for (const { entityId, categories } of assignments) {
    const answer = await send(client, 'PUT', `/api/v1/records/${entityId}/categories`, categories)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  return refused
}

async function widenProductionYear(client: Client, model: RealCatalogue['model']): Promise<void> {
  const schema = model.schemas.find(({ id }) => id === 'sch-car')!
  const attributes = schema.attributes.map((attribute) =>
    attribute.alias === 'productionYear' ? { ...attribute, validation: { integer: true, min: 1000 } } : attribute,
  )
  const answer = await send(client, 'PUT', `/api/v1/schemas/${schema.id}`, { ...schema, attributes })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
