// What rendering does with a storage or a disk that lets it down.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { PimletError } from '../../src/kernel/errors.ts'
import { allOf, renderExport } from '../../src/exports/rendering/rendering.ts'
import { writeSpoolFile } from '../../src/exports/engine/spool.ts'
import { exportModel } from '../helpers/export-model.ts'
import { everything } from '../helpers/export-store.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import type { RecordSnapshot } from '../../src/store/snapshot-port.ts'

const never = new AbortController().signal

function makeFile(): string {
  const file = path.join(makeTempDirectory(), 'run')
  writeFileSync(file, '')
  return file
}

async function* texts(count: number): AsyncGenerator<Buffer, void> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(100_000, 'x')
}

describe('Rendering', () => {
  it('fails when the records that were read are not as many as there are', async () => {
    const snapshot: RecordSnapshot = {
      model: exportModel,
      count: async () => 2,
      sample: async function* () {},
      batches: async function* () {},
      linked: async () => [],
      close: async () => {},
    }
    const request = { ...everything, compress: false, spoolFile: makeFile() }
    await assert.rejects(renderExport(allOf(snapshot, request), request, { signal: never }), /wrote 0 records of 2/)
  })

  it('fails with what the storage fails with', async () => {
    const failure = new PimletError('UNAVAILABLE', 'The storage is gone')
    const snapshot: RecordSnapshot = {
      model: exportModel,
      count: async () => 2,
      sample: async function* () {},
      // oxlint-disable-next-line require-yield
      batches: async function* () {
        throw failure
      },
      linked: async () => [],
      close: async () => {},
    }
    const request = { ...everything, compress: true, spoolFile: makeFile() }
    await assert.rejects(renderExport(allOf(snapshot, request), request, { signal: never }), failure)
  })
})

describe('Rendering that is aborted', () => {
  async function* nothing(): AsyncGenerator<never[], void> {}
  async function* endless(): AsyncGenerator<never[], void> {
    for (;;) yield []
  }
  const reads = [
    ['looks for the columns of a csv', { sample: endless, batches: nothing }],
    ['reads', { sample: nothing, batches: endless }],
  ] as const
  for (const [what, reading] of reads)
    it(`ends while it ${what}`, async () => {
      const abort = new AbortController()
      const snapshot: RecordSnapshot = {
        model: exportModel,
        count: async () => 1,
        ...reading,
        linked: async () => [],
        close: async () => {},
      }
      const request = { ...everything, format: 'csv', compress: false, spoolFile: makeFile() } as const
      setTimeout(() => abort.abort(), 50)
      await assert.rejects(renderExport(allOf(snapshot, request), request, { signal: abort.signal }), /abort/i)
    })
})

describe('Writing the spool file', () => {
  const full = { skip: process.platform === 'linux' ? false : '/dev/full is known on Linux only' }
  for (const compress of [false, true])
    it(`is UNAVAILABLE on a full disk, ${compress ? '' : 'not '}compressed`, full, async () => {
      await assert.rejects(
        writeSpoolFile('/dev/full', texts(20), { compress, signal: never }),
        (error) => error instanceof PimletError && error.code === 'UNAVAILABLE',
      )
    })

  it('ends with its signal', async () => {
    const abort = new AbortController()
    async function* endless(): AsyncGenerator<Buffer, void> {
      for (;;) {
        yield* texts(1)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    setTimeout(() => abort.abort(), 50)
    await assert.rejects(writeSpoolFile(makeFile(), endless(), { compress: true, signal: abort.signal }), /abort/i)
  })
})
