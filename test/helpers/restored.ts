// Workspaces on disk for the tests of commands that work on a data directory.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { send } from './answers.ts'
import type { Client } from './client.ts'
import { complete, english, everywhere, german, make, makeShirt, startWorkspace, type Workspace } from './shirts.ts'
import type { ServerOptions } from './server.ts'

export const SECRET = 'the-secret-of-the-webhook'

/** Starts a workspace with data of every kind. */
export async function startShop(options: ServerOptions = {}): Promise<Workspace> {
  const shop = await startWorkspace({ maxRecords: 0, ...options })
  const { admin } = shop
  await makeShirt(admin, { ...complete, sku: everywhere('S-1') }, { id: 'shirt-1' })
  await makeShirt(admin, { name: [german('Hemd in Blau')], related: everywhere('shirt-1') }, { id: 'shirt-2' })
  await makeShirt(admin, { color: everywhere('red') }, { id: 'shirt-1-red', parentId: 'shirt-1' })
  await makeShirt(admin, { name: [english('Gone')] }, { id: 'shirt-gone' })
  await send(admin, 'DELETE', '/api/v1/records/shirt-gone')
  await send(admin, 'PATCH', '/api/v1/records/shirt-2/values/name', { scopedValues: [english('Blue'), german('Blau')] })
  await send(admin, 'POST', '/api/v1/records/shirt-1/transition', { transitionId: 'tr-submit' })
  await make(admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  await make(admin, '/api/v1/catalogs/cat-web/categories', { id: 'ctg-red', name: 'Red' })
  await send(admin, 'PUT', '/api/v1/records/shirt-1-red/categories', [{ categoryId: 'ctg-red', sortOrder: 2 }])
  await make(admin, '/api/v1/export-jobs', {
    id: 'job-1',
    name: 'Nightly',
    destinationType: 'webhook',
    destinationConfig: { url: 'https://example.com/hook', signingSecret: SECRET },
    format: 'csv',
    schedule: '0 3 1 1 *',
    includeVariants: true,
    compress: false,
    filenameTemplate: 'export.csv',
  })
  return shop
}

/** Returns everything that a client can see of a workspace. */
export async function lookAt(client: Client): Promise<unknown> {
  const paths = ['records', 'changes', 'dimensions', 'workflows', 'schemas', 'roles', 'users', 'export-jobs']
  const answers = await Promise.all(paths.map(async (name) => (await send(client, 'GET', `/api/v1/${name}`)).body))
  return Object.fromEntries(paths.map((name, index) => [name, answers[index]]))
}

/** Returns the IDs that a search for text finds. */
export async function search(client: Client, query: string): Promise<string[]> {
  const found = await send<{ id: string }[]>(client, 'POST', '/api/v1/search/full-text', { query })
  return found.body.map(({ id }) => id)
}

/** Returns the files of a directory that other users could read, write or run. */
export function openFiles(directory: string): string[] {
  return ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })].filter(
    (name) => (statSync(path.join(directory, name)).mode & 0o077) !== 0,
  )
}
