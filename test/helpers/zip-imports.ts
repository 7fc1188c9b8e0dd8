// Imports zips of files, for tests.
import assert from 'node:assert/strict'
import { send } from './answers.ts'
import { type BulkJobBody, untilEnded } from './bulk-jobs.ts'
import type { Client } from './client.ts'
import { make } from './shirts.ts'
import { type ZipPart, zipOf } from './zip-file.ts'

export interface ZipImport {
  id: string
  format: string
  files: number
  samples: string[]
  skipped: { files: number; samples: string[] }
  columns: unknown[]
  status: string
  mapping: object | null
}

export type ZipJob = BulkJobBody & { pictures?: number; limit?: object }

export const ZIP_MAPPING = { schemaId: 'sch-product', matchBy: 'sku', attributeAlias: 'pictures' }

/** Products that refer to photos, and have a manual in these dimensions. */
export async function makeProductSchemas(admin: Client, dimensionIds: string[] = []): Promise<void> {
  await make(admin, '/api/v1/schemas', {
    id: 'sch-photo',
    name: 'Photos',
    attributes: [
      { alias: 'raw', dataType: 'file' },
      { alias: 'content', dataType: 'file', validation: { maxBytes: 1000 } },
    ],
    imageAttribute: 'content',
  })
  await make(admin, '/api/v1/schemas', { id: 'sch-notes', name: 'Notes', attributes: [] })
  await make(admin, '/api/v1/schemas', {
    id: 'sch-product',
    name: 'Products',
    attributes: [
      { alias: 'sku', dataType: 'text', unique: true },
      { alias: 'number', dataType: 'number', unique: true },
      { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-photo', maxCount: 4 } },
      { alias: 'others', dataType: 'references' },
      { alias: 'plain', dataType: 'references', validation: { schemaId: 'sch-notes' } },
      { alias: 'manual', dataType: 'file', dimensionIds },
      { alias: 'name', dataType: 'text' },
    ],
  })
}

export async function uploadZip(client: Client, parts: readonly ZipPart[] | Buffer, type = 'application/zip') {
  const body = new Uint8Array(Buffer.isBuffer(parts) ? parts : zipOf(...(parts as ZipPart[])))
  const headers = { ...client.headers, 'content-type': type }
  const response = await fetch(`${client.url}/api/v1/imports?fileName=x.zip`, { method: 'POST', headers, body })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as ZipImport }
}

/** Uploads a zip with its mapping; both must be accepted. */
export async function mappedZip(client: Client, parts: readonly ZipPart[] | Buffer, mapping: object): Promise<string> {
  const { status, text, body } = await uploadZip(client, parts)
  assert.equal(status, 201, text)
  const answer = await send(client, 'PUT', `/api/v1/imports/${body.id}/mapping`, { ...ZIP_MAPPING, ...mapping })
  assert.equal(answer.status, 200, answer.text)
  return body.id
}

export async function postZipJob(client: Client, id: string, how = 'run'): Promise<ZipJob> {
  const answer = await send<ZipJob>(client, 'POST', `/api/v1/imports/${id}/${how}`)
  assert.equal(answer.status, 202, answer.text)
  return answer.body
}

/** Begins a job, which must be accepted, and waits for its end. */
export async function runZip(client: Client, id: string, how = 'run'): Promise<ZipJob> {
  return untilEnded(client, (await postZipJob(client, id, how)).id)
}
