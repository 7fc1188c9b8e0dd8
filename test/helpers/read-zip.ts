// Reads a zip file, for tests.
import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'

/** Content by name, in the order of the central directory. */
export async function readZip(file: string): Promise<Map<string, Buffer>> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.open(file, { lazyEntries: true, autoClose: true }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    ),
  )
  const entries = new Map<string, Buffer>()
  const take = async (entry: yauzl.Entry, stream: Readable): Promise<void> => {
    try {
      const bytes = await buffer(stream)
      assert.equal(crc32(bytes), entry.crc32)
      entries.set(entry.fileName, bytes)
      zip.readEntry()
    } catch (error) {
      zip.emit('error', error)
    }
  }
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: yauzl.Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error === null) void take(entry, stream)
        else reject(error)
      }),
    )
    zip.readEntry()
  })
}
