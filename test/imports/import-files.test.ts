// The files of imports that are kept on the disk of the server. Contract 3 §4.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createImportFiles } from '../../src/imports/readers/import-files.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { xlsxFile } from '../helpers/xlsx-file.ts'

const FILES = { csv: Buffer.from('id\na\n'), xlsx: xlsxFile([['id'], ['a']]) }

for (const format of ['csv', 'xlsx'] as const)
  it(`a ${format} that is removed when its reading has been asked for is not there, and is no fault`, async () => {
    const faults: string[] = []
    const files = createImportFiles({
      directory: makeTempDirectory(),
      maxBytes: 100_000,
      maxPart: 10_000,
      maxValues: 100,
      pieces: undefined,
      onFault: (message) => faults.push(message),
    })
    await files.begin(new Set())
    await files.keep('file', oneChunk(FILES[format]))
    const { lines } = files.read('file', format, {}, AbortSignal.timeout(60_000))
    assert.ok(await files.has('file'))
    const removing = files.remove('file')
    assert.equal(await files.has('file'), false)
    await removing
    await assert.rejects(Array.fromAsync(lines), {
      code: 'NOT_FOUND',
      message: /^The file of the import 'file' no longer exists/,
    })
    assert.deepEqual(faults, [])
    await files.close()
  })

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
