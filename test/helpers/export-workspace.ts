// Runs the built program on a workspace large enough for a delivery in several parts, so that tests can kill it midway.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { importFile, lines } from './importing.ts'
import { type RunBody, listRuns } from './export-jobs.ts'
import { makeBundle } from './program.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { everywhere, make } from './shirts.ts'
import { makeTempDirectory } from './temp-directory.ts'
import { testedDatabase } from './tested-database.ts'

export const INTERRUPTED = 'interrupted: the server stopped during this run'

/**
 * Records by schema. `sch-parts` has 9 MB: two parts of an upload to S3, or three blocks to Azure. `sch-small` has 2
 * MB.
 */
const RECORDS = { 'sch-parts': 160, 'sch-small': 40 }
const CHARACTERS = 58_000

export interface Workspace {
  readonly server: ServerProcess
  readonly dataDir: string
  /** Runs `kill -9`, then `meanwhile`, then a new server on the same directory. */
  killAndRestart(meanwhile?: () => void): Promise<void>
  stop(): Promise<void>
}

/** @param prepare called with the data directory before the server starts */
export type OpenWorkspace = (prepare?: (dataDir: string) => void) => Promise<Workspace>

/** Making the first workspace takes some seconds; later ones are copies, if the workspace is in files. */
export async function makeWorkspaces(): Promise<OpenWorkspace> {
  const entry = path.join(makeTempDirectory(), 'bundle/pimlet.cjs')
  await makeBundle(path.dirname(entry))
  const args = ['--allow-destination', '127.0.0.1']
  const start = (dataDir: string): Promise<ServerProcess> => startServerProcess(dataDir, args, entry)
  const template = makeTempDirectory()
  const isInFiles = (await testedDatabase(template)) === undefined
  if (isInFiles) await fill(await start(template))
  return async (prepare) => {
    const dataDir = makeTempDirectory()
    if (isInFiles) cpSync(template, dataDir, { recursive: true })
    else await fill(await start(dataDir))
    prepare?.(dataDir)
    let server = await start(dataDir)
    return {
      dataDir,
      get server() {
        return server
      },
      async killAndRestart(meanwhile) {
        await server.kill()
        meanwhile?.()
        server = await start(dataDir)
      },
      stop: async () => void (await server.kill()),
    }
  }
}

/** Fills data type json, because its values are not indexed and so are the cheapest to store. */
async function fill(server: ServerProcess): Promise<void> {
  for (const [schemaId, count] of Object.entries(RECORDS)) {
    const attributes = [{ alias: 'text', dataType: 'json' }]
    await make(server.admin, '/api/v1/schemas', { id: schemaId, name: schemaId, attributes })
    const records = Array.from({ length: count }, (_, index) => {
      const words = Array.from({ length: CHARACTERS / 8 }, (_word, at) => (index * 7919 + at * 104_729) % 10_000_019)
      const text = words.join(' ').slice(0, CHARACTERS)
      return { id: `${schemaId}-${index}`, schemaId, values: { text: everywhere(text) } }
    })
    assert.equal((await importFile(server.admin, lines(...records))).created, count)
  }
  await server.kill('SIGTERM')
}

/** Checks the rows of runs that a killed server left. */
export async function assertInterrupted({ server }: Workspace, runs: readonly RunBody[]): Promise<void> {
  for (const { jobId, id } of runs) {
    const run = (await listRuns(server.admin, jobId)).find((candidate) => candidate.id === id)!
    assert.deepEqual([run.status, run.error, run.destinationPath], ['failed', INTERRUPTED, null], jobId)
    assert.ok(run.completedAt! >= run.startedAt)
  }
}
