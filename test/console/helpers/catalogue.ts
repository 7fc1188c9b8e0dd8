// The fictitious tea shop of `pimlet demo`, created through the interface like a user would, without its exports.
import assert from 'node:assert/strict'
import { readDemoFile } from '../../../src/kernel/executable/assets.ts'
import { send } from '../../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../../helpers/bulk-jobs.ts'
import type { Client } from '../../helpers/client.ts'

type Request = readonly [method: string, path: string, body: unknown]

export async function makeDemoCatalogue(admin: Client): Promise<void> {
  await sendAll(admin, 'translator.json')
  await sendAll(admin, 'model.json')
  const headers = { ...admin.headers, 'content-type': 'application/x-ndjson' }
  const answer = await fetch(`${admin.url}/api/v1/records/import`, {
    method: 'POST',
    headers,
    body: readDemoFile('records.ndjson'),
  })
  assert.deepEqual(((await answer.json()) as { errors: unknown[] }).errors, [])
  await sendAll(admin, 'work.json')
}

/** The tea shop with the pictures of its teas. */
export async function makePicturedCatalogue(admin: Client): Promise<void> {
  await sendAll(admin, 'translator.json')
  const { body: job } = await send<BulkJobBody>(admin, 'POST', '/api/v1/demo')
  const { status, failed } = await untilEnded(admin, job.id)
  assert.deepEqual([status, failed], ['succeeded', 0])
  await sendAll(admin, 'work.json')
}

async function sendAll(admin: Client, file: string): Promise<void> {
  for (const [method, path, body] of JSON.parse(readDemoFile(file)) as Request[]) {
    if (path.includes('export-jobs')) continue
    const answer = await send(admin, method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  }
}
