// Sends files to the import endpoint.
import assert from 'node:assert/strict'
import type { ImportResult } from '../../src/imports/rules/import-outcome.ts'
import type { Answer } from './answers.ts'
import type { Client } from './client.ts'

export const NDJSON = 'application/x-ndjson'
export const CSV = 'text/csv'

/** @param query without the question mark */
export async function sendImport(
  client: Client,
  body: string | Buffer | ReadableStream,
  { query = '', type = NDJSON, headers = {} }: { query?: string; type?: string; headers?: object } = {},
): Promise<Answer<ImportResult>> {
  const response = await fetch(`${client.url}/api/v1/records/import?${query}`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': type, ...headers },
    body: body as string,
    duplex: 'half',
    signal: AbortSignal.timeout(120_000),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as ImportResult }
}

/** Returns the lines of a file as JSON. Texts stay unchanged. */
export function lines(...items: readonly unknown[]): string {
  return items.map((item) => `${typeof item === 'string' ? item : JSON.stringify(item)}\n`).join('')
}

/** Sends a file that must be accepted, regardless of its lines. */
export async function importFile(
  client: Client,
  body: string | Buffer,
  query = '',
  type = NDJSON,
): Promise<ImportResult> {
  const answer = await sendImport(client, body, { query, type })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export function importCsv(client: Client, rows: readonly string[], query = ''): Promise<ImportResult> {
  return importFile(client, rows.map((row) => `${row}\r\n`).join(''), query, CSV)
}

/** Returns only the counts. */
export function counts({ created, updated, unchanged, failed }: ImportResult): number[] {
  return [created, updated, unchanged, failed]
}

/** Returns the failed lines as `line id error`. */
export function failures({ errors }: ImportResult): string[] {
  return errors.map(({ line, id, error }) => `${line} ${id} ${error}`)
}
