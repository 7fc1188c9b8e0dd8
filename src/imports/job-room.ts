// Whether there is room for the records of a kept file, before its job writes the first of them. Contract 3 §4.
import { type BulkJob, hasEnded } from '../core/jobs/rules/bulk-job.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import type { ImportUpload } from './rules/import-upload.ts'
import type { ImportLine } from './rules/import-outcome.ts'
import { findActor } from '../bulk/actor.ts'
import type { ImportPlan } from './rules/import-profile.ts'
import { type HeaderLine, readFileRows } from './file-rows.ts'
import type { ImportFiles } from './import-file-store.ts'
import { assertRoomFor, type RoomDeps, roomOf } from './room.ts'

export interface JobParts {
  readonly jobId: string
  readonly upload: ImportUpload
  readonly setting: ImportSetting
  readonly mapping: ImportPlan
  readonly signal: AbortSignal
}

interface JobRoomDeps extends RoomDeps {
  readonly importFiles: ImportFiles
}

/** Rows between two looks at how the job stands. */
const ROWS = 1000

/** `rows`: of the file. @throws LIMIT_EXCEEDED */
export async function assertRoomForJob(deps: JobRoomDeps, parts: JobParts, job: BulkJob, rows: number): Promise<void> {
  if (rows <= (await roomOf(deps))) return
  const caller = await findActor(deps.store.read, deps.system, job)
  const read = (): AsyncIterable<ImportLine> => readLines(deps, parts)
  await assertRoomFor(deps, { caller, setting: parts.setting, read, isWhole: true })
}

/** Until somebody ends the job. */
async function* readLines(
  { store, importFiles }: JobRoomDeps,
  { jobId, upload, signal }: JobParts,
): AsyncGenerator<ImportLine, void> {
  let header: HeaderLine | undefined
  const onHeader = async (line: HeaderLine): Promise<void> => void (header = { ...line, sample: undefined })
  for await (const { line, position } of readFileRows(importFiles, upload, onHeader, signal)) {
    if (header !== undefined) yield header
    header = undefined
    yield line
    if (position % ROWS !== 0) continue
    await store.whenCalm()
    const job = await store.read.bulkJobs.get(jobId)
    if (job === undefined || hasEnded(job) || job.pausedReason !== null) return
  }
}
