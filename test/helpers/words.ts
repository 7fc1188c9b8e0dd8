// A small workspace for damage to its files: records with a long text each.
import assert from 'node:assert/strict'
import { closeSync, cpSync, openSync, writeSync } from 'node:fs'
import type { Client } from './client.ts'
import { importFile, lines } from './importing.ts'
import { untilIndexed } from './indexed.ts'
import { startServer, type TestServer } from './server.ts'
import { everywhere, make } from './shirts.ts'
import { makeTempDirectory } from './temp-directory.ts'

const SCHEMA = { id: 'sch-w', name: 'Words', attributes: [{ alias: 'word', dataType: 'text' }] }

/** Starts a server on its own workspace, with this many words, all indexed. */
export async function startWithWords(prefix: string, count: number): Promise<TestServer> {
  const server = await startServer({ maxRecords: 0 })
  await make(server.admin, '/api/v1/schemas', SCHEMA)
  await addWords(server.admin, prefix, count)
  await untilIndexed(server.admin)
  return server
}

/** Creates records `<prefix>-<n>`, with `<prefix> word <n>` repeated in the text `word`. */
export async function addWords(client: Client, prefix: string, count: number): Promise<void> {
  const records = Array.from({ length: count }, (_, n) => ({
    id: `${prefix}-${n}`,
    schemaId: SCHEMA.id,
    values: { word: everywhere(`${prefix} word ${n} `.repeat(40)) },
  }))
  assert.equal((await importFile(client, lines(...records))).created, count)
}

export function copyOf(directory: string): string {
  const copy = makeTempDirectory()
  cpSync(directory, copy, { recursive: true })
  return copy
}

/** Overwrites this many bytes from `from` on with meaningless ones. */
export function overwrite(file: string, from: number, bytes: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(bytes, 0x5a), 0, bytes, from)
  closeSync(handle)
}
