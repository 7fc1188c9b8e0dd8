// Faults of the server while it makes the files of a run. Contract 4 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RunFilesDelivery } from '../../src/exports/engine/run-files.ts'
import { createSpool } from '../../src/exports/engine/spool.ts'
import { FileListWriter } from '../../src/exports/rendering/file-list.ts'
import { PimletError } from '../../src/kernel/errors.ts'
import type { ExportJob } from '../../src/exports/rules/export-job.ts'
import type { Preset } from '../../src/files/rules/presets.ts'
import type { Store } from '../../src/store/port.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const wanted = { recordId: 'shirt-1', n: 2, name: 'Secret name.jpg', sha256: 'a'.repeat(64), digest: 'd' }

/** The files of a run whose maker has the fault. */
async function filesOf(fault: Error, signal = new AbortController().signal): Promise<RunFilesDelivery> {
  const spool = createSpool(makeTempDirectory())
  const list = await FileListWriter.begin(spool.listFileOf('run-1'))
  await list.add([wanted])
  await list.close()
  const store = { read: { exportFiles: { digestsOf: async () => new Map() } } } as unknown as Store
  const maker = { make: () => Promise.reject(fault) }
  const order = { job: { id: 'job-1' } as ExportJob, runId: 'run-1', preset: {} as Preset, target: 't', signal }
  return new RunFilesDelivery(order, { store, spool, maker, onProgress: () => undefined })
}

describe('A file of a run that cannot be made for the moment', () => {
  const busy = new PimletError('UNAVAILABLE', 'Too many pictures at once: try again later', { retryAfter: 5 })
  const message = "file 2 of the record 'shirt-1' could not be made: Too many pictures at once: try again later"

  it('is told by its record and its place, with the cause, beside the feed and in a zip', async () => {
    const files = await filesOf(busy)
    const expected = { code: 'UNAVAILABLE', message, retryAfter: 5 }
    await assert.rejects(files.pending().next(), expected)
    await assert.rejects(files.made().next(), expected)
    await assert.rejects(files.makeAgain(wanted), expected)
  })

  it('is told with the error of the system as the cause', async () => {
    const fault = new Error('EIO: i/o error')
    const expected = { message: "file 2 of the record 'shirt-1' could not be made", cause: fault }
    await assert.rejects((await filesOf(fault)).pending().next(), expected)
  })

  it('is no fault of the file where the run is cancelled', async () => {
    const cancel = new AbortController()
    const files = await filesOf(new Error('cancelled'), cancel.signal)
    cancel.abort()
    await assert.rejects(files.makeAgain(wanted), { message: 'cancelled' })
  })
})
