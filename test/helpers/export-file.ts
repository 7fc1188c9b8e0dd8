// A finished export in the form that destinations receive, for tests: random bytes in a temporary file.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, type ReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportFile } from '../../src/kernel/destination.ts'

export interface TestFile extends ExportFile {
  bytes(): Promise<Buffer>
  /** Returns the bytes read through `open()` so far. */
  bytesRead(): number
}

const directory = mkdtempSync(join(tmpdir(), 'pimlet-export-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
let count = 0

export async function makeExportFile(name: string, size: number, contentType = 'text/csv'): Promise<TestFile> {
  const path = join(directory, `spool-${++count}`)
  const streams: ReadStream[] = []
  return {
    name,
    path,
    size,
    sha256: await writeRandom(path, size),
    contentType,
    open: (range) => {
      const stream = createReadStream(path, range ?? {})
      streams.push(stream)
      return stream
    },
    bytes: () => readFile(path),
    bytesRead: () => streams.reduce((sum, stream) => sum + stream.bytesRead, 0),
  }
}

async function writeRandom(path: string, size: number): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  for (let left = size; left > 0;) {
    const bytes = randomBytes(Math.min(left, 4 * 1024 * 1024))
    hash.update(bytes)
    await file.write(bytes)
    left -= bytes.length
  }
  await file.close()
  return hash.digest('hex')
}
