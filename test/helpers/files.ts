// Sends files and reads them back, for tests.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Client } from './client.ts'

export interface FileBody {
  readonly sha256: string
  readonly fileName: string
  readonly mediaType: string
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  readonly pages: number | null
  readonly thumbhash: string | null
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

export async function ask(client: Client, path: string, init: RequestInit = {}): Promise<RawAnswer> {
  const headers = { ...client.headers, ...(init.headers as Record<string, string> | undefined) }
  const response = await fetch(client.url + path, { ...init, headers, signal: AbortSignal.timeout(60_000) })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export async function sendFile(
  client: Client,
  bytes: Uint8Array | string,
  fileName?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: FileBody; headers: Headers }> {
  const query = fileName === undefined ? '' : `?fileName=${encodeURIComponent(fileName)}`
  const body = typeof bytes === 'string' ? bytes : new Uint8Array(bytes)
  const answer = await ask(client, `/api/v1/files${query}`, { method: 'POST', body, headers })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.bytes.toString()) as FileBody }
}

/** Uploads the bytes, and returns the value that names them. */
export async function uploaded(client: Client, bytes: Uint8Array | string, fileName = 'picture.bin') {
  const { status, body } = await sendFile(client, bytes, fileName)
  assert.ok(status === 200 || status === 201, JSON.stringify(body))
  return { sha256: body.sha256, fileName: body.fileName }
}
