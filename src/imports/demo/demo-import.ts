// Loads the demonstration into an empty workspace. It is an import that brings its model along. So people can watch it, it
// goes on after a kill, and its undo empties the workspace again. Contract 5 §1.
import type { BulkRunner } from '../../bulk/bulk-runner.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import type { FileName } from '../../core/datatypes/file.ts'
import { defineJob, enqueue } from '../../core/jobs/queueing.ts'
import type { BulkJob, BulkTask } from '../../core/jobs/rules/bulk-job.ts'
import { keepAnswer } from '../../core/requests/idempotent-requests.ts'
import { conflict } from '../../kernel/errors.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Reads, Store } from '../../store/port.ts'
import type { ImportFiles } from '../readers/import-files.ts'
import { assertMayMap, assertMayWriteRecords } from '../rules/import-rights.ts'
import { uploadOfLines } from '../rules/import-upload.ts'
import type { FileKeeper } from '../zip/zip-reading.ts'
import { demoFiles, demoModel, demoRecords, demoViews } from './demo-content.ts'

/** Milliseconds to keep one picture. */
const KEEP_TIME = 20_000

interface DemoDeps {
  readonly store: Store
  readonly system: System
  readonly bulkRunner: BulkRunner
  readonly importFiles: ImportFiles
  readonly fileKeeper: FileKeeper
}

export function createDemoService({ store, system, bulkRunner, importFiles, fileKeeper }: DemoDeps) {
  return {
    /** Resolves to the job that loads it. @throws CONFLICT unless the workspace is empty, PERMISSION_DENIED, UNAVAILABLE */
    async load(caller: Caller): Promise<BulkJob> {
      assertMayWriteRecords(caller.role)
      const mapping = {
        schemaId: null,
        mode: 'create',
        matchBy: null,
        emptyCells: 'clear',
        columns: null,
        model: demoModel(),
      } as const
      assertMayMap(caller.role, mapping, await store.read.model())
      await store.snapshot(assertEmpty)
      const importId = system.newId('imp')
      // The answer to the request is the job, so the uploads keep no answer.
      const records = demoRecords(await keepFiles(fileKeeper, { ...caller, keep: undefined }))
      await importFiles.keep(importId, inOne(records))
      try {
        const job = await store.transaction(async (tx) => {
          await assertEmpty(tx)
          const name = 'demo.jsonl'
          const queued = { ...defineJob(system, caller, { name, kind: 'import', dryRun: false }), importId }
          const upload = uploadOfLines(
            { id: importId, fileName: name, size: records.length, ownerId: caller.id },
            system.now(),
          )
          await tx.imports.insert({ ...upload, isMapped: true, jobIds: [queued.id] }, { columns: [], mapping })
          // The upload shows its mapping to callers, in the form that they may send: without views.
          const model = { ...mapping.model, savedQueries: demoViews(caller.id) }
          const task: BulkTask = { kind: 'import', importId, mapping: { ...mapping, model } }
          return keepAnswer(tx, caller, await enqueue(tx, queued, task))
        })
        bulkRunner.wake()
        return job
      } catch (error) {
        await importFiles.remove(importId)
        throw error
      }
    },
  }
}

/** @throws CONFLICT */
async function assertEmpty(reads: Pick<Reads, 'schemas' | 'records'>): Promise<void> {
  const schemas = await reads.schemas.list()
  if (schemas.length > 0 || (await reads.records.count({})) > 0)
    throw conflict('The demonstration is loaded into an empty workspace only: this one has schemas or records')
}

async function keepFiles(keeper: FileKeeper, caller: Caller): Promise<FileName[]> {
  const kept: FileName[] = []
  for (const { fileName, content } of demoFiles())
    kept.push(await keeper.keep(caller, inOne(content), fileName, AbortSignal.timeout(KEEP_TIME)))
  return kept
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes
}
