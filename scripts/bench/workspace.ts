// Shared by all rows: a temporary directory with the bundle, a running server with its own data directory, and records
// created over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildBundle } from '../build/bundle.ts'
import { type Catalogue, openCatalogue, SCHEMA_ID } from './catalogue.ts'
import { DataFiles } from './databases.ts'
import { httpRequest, type LoadResult, runLoad } from './load.ts'
import { API_KEY, killAll, type MeasuredProcess, pimletBundle, startPimlet } from './processes.ts'
import { startWritingClient, type WritingClient } from './writing-client.ts'

const LOADING_CONNECTIONS = 64

export interface Workspace {
  readonly directory: string
  readonly catalogue: Catalogue
  readonly server: MeasuredProcess
  readonly files: DataFiles
  /** Writes from another process. */
  readonly writer: WritingClient
  /** Reserves the next `count` record numbers, and returns the first. */
  takeNumbers(count: number): number
  /** Creates that many records at 64 connections; resolves when they are acknowledged. */
  create(count: number): Promise<LoadResult>
  close(): Promise<void>
}

/** The parts of a workspace that writing needs. */
export type Served = Pick<Workspace, 'server' | 'catalogue' | 'writer' | 'takeNumbers'> & {
  readonly files: Pick<DataFiles, 'whenIndexed'>
}

export async function openWorkspace(): Promise<Workspace> {
  const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-bench-'))
  const cleanUp = (): void => {
    killAll()
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', cleanUp)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const bundle = path.join(directory, 'bundle')
  await buildBundle(bundle)
  const dataDir = path.join(directory, 'data')
  const server = await startPimlet(pimletBundle(bundle), dataDir)
  const catalogue = openCatalogue()
  await defineModel(server.port, catalogue)
  const files = await DataFiles.open(dataDir)
  let next = 1
  const writer = startWritingClient()
  const takeNumbers = (count: number): number => {
    next += count
    return next - count
  }
  const creations = (count: number): string[] => {
    const from = takeNumbers(count)
    return Array.from({ length: count }, (_, index) => {
      const body = JSON.stringify({ schemaId: SCHEMA_ID, values: catalogue.valuesOf(from + index) })
      return httpRequest('POST', '/api/v1/records', API_KEY, body)
    })
  }
  return {
    directory,
    catalogue,
    server,
    files,
    writer,
    takeNumbers,
    create: (count) => runCreations(server.port, creations(count), LOADING_CONNECTIONS),
    async close() {
      files.close()
      await writer.stop()
      await server.stop()
      cleanUp()
    },
  }
}

export function runCreations(port: number, requests: readonly string[], connections: number): Promise<LoadResult> {
  let at = 0
  return runLoad({ port, connections, nextRequest: () => requests[at++], expectedStatus: 201 })
}

export async function defineModel(port: number, { dimensions, schema }: Catalogue): Promise<void> {
  const create = async (resource: string, body: unknown): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${resource}`, {
      method: 'POST',
      headers: { 'x-service-apikey': API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.status !== 201) throw new Error(`${resource}: ${await response.text()}`)
  }
  for (const dimension of dimensions) await create('dimensions', dimension)
  await create('schemas', schema)
}
