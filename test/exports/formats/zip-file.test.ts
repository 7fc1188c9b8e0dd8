// Zip files that are made while they are read. Contract 4 §4.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import yauzl from 'yauzl'
import type { RunFilesDelivery } from '../../../src/exports/engine/run-files.ts'
import { ZipFile } from '../../../src/exports/engine/zip-file.ts'
import { centralHeader, endOfZip, localHeader, type PlacedEntry } from '../../../src/exports/formats/zip.ts'
import { eventually } from '../../helpers/puppet.ts'
import { readZip } from '../../helpers/read-zip.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const AT = new Date('2026-03-05T01:02:04Z')

interface Content {
  readonly name: string
  readonly bytes: Buffer
}

/** The zip of a feed and files; `change` is called before a file is made again. */
async function zipOf(feed: Content, contents: readonly Content[], change = (bytes: Buffer): Buffer => bytes) {
  const directory = makeTempDirectory()
  let count = 0
  const place = async (bytes: Buffer): Promise<{ path: string; drop: () => Promise<void> }> => {
    count += 1
    const file = path.join(directory, `part-${count}`)
    await writeFile(file, bytes)
    return { path: file, drop: () => rm(file) }
  }
  const files = {
    async *made() {
      for (const { name, bytes } of contents) yield { name, wanted: { name }, ...(await place(bytes)) }
    },
    makeAgain: async ({ name }: { name: string }) =>
      place(change(contents.find((candidate) => candidate.name === name)!.bytes)),
    packed: () => undefined,
  } as unknown as RunFilesDelivery
  const feedFile = path.join(directory, 'feed')
  await writeFile(feedFile, feed.bytes)
  const order = { files, entryFile: path.join(directory, 'entries'), at: AT, signal: new AbortController().signal }
  const zip = await new ZipFile({ ...order, feed: { name: feed.name, path: feedFile } }).pack('all.zip')
  return { zip, directory }
}

const names = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), {
  minLength: 1,
  maxLength: 6,
})
const contents = fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 6, maxLength: 6 })

describe('A zip file', () => {
  it('holds names with separators of lines and paragraphs', async () => {
    const all = ['feed', '1-\u2028 a', '2-\u2029 b'].map((name) => ({ name, bytes: Buffer.from(name) }))
    const [feed, ...rest] = all
    const { zip, directory } = await zipOf(feed!, rest)
    const file = path.join(directory, 'all.zip')
    await writeFile(file, zip.open())
    assert.deepEqual([...(await readZip(file)).keys()], ['feed', '1-\u2028 a', '2-\u2029 b'])
  })

  it('has the size and digest that were told, can be read from any byte on, and holds what was put in', async () => {
    await fc.assert(
      fc.asyncProperty(names, contents, fc.nat(), fc.nat(), async (some, bytes, one, other) => {
        const clean = some.map((name, index) => `${index}-${name.replaceAll(/[/\\\p{C}]/gu, '_')}`)
        const all = clean.map((name, index) => ({ name, bytes: Buffer.from(bytes[index]!) }))
        const [feed, ...rest] = all
        const { zip, directory } = await zipOf(feed!, rest)
        const whole = await buffer(zip.open())
        assert.equal(whole.length, zip.size)
        assert.equal(createHash('sha256').update(whole).digest('hex'), zip.sha256)
        const [start, end] = [one % zip.size, other % zip.size].toSorted((a, b) => a - b) as [number, number]
        assert.ok((await buffer(zip.open({ start, end }))).equals(whole.subarray(start, end + 1)))
        const file = path.join(directory, 'all.zip')
        await writeFile(file, whole)
        const entries = await readZip(file)
        assert.deepEqual(
          [...entries],
          all.map(({ name, bytes: content }) => [name, content]),
        )
        const left = (await readdir(directory)).filter((name) => name.startsWith('part-'))
        assert.deepEqual(left, [], 'no part stays on the disk')
      }),
      { numRuns: 60 },
    )
  })

  it('fails its reader where a file was made again with other bytes', async () => {
    const feed = { name: 'feed.csv', bytes: Buffer.from('a') }
    const { zip } = await zipOf(feed, [{ name: 'a.jpg', bytes: Buffer.from('abc') }], () => Buffer.from('abd'))
    await assert.rejects(buffer(zip.open()), /made again/)
  })

  it('leaves no part where its reader goes away', async () => {
    const feed = { name: 'feed.csv', bytes: Buffer.from('a') }
    const { zip, directory } = await zipOf(feed, [{ name: 'a.jpg', bytes: Buffer.alloc(5_000_000) }])
    const stream = zip.open()
    for await (const chunk of stream as AsyncIterable<Buffer>) if (chunk.length > 1000) break
    assert.ok(stream.destroyed)
    await eventually(async () => !(await readdir(directory)).some((name) => name.startsWith('part-')))
  })

  it('holds files and offsets beyond 4 GB', async () => {
    const entries: PlacedEntry[] = [
      { name: 'large.bin', size: 5_000_000_000, crc32: 1, offset: 0 },
      { name: 'later.bin', size: 3, crc32: 2, offset: 6_000_000_000 },
    ]
    const file = path.join(makeTempDirectory(), 'large.zip')
    const handle = await open(file, 'w')
    await writeSparse(handle, entries)
    await handle.close()
    assert.deepEqual(
      await listOf(file),
      entries.map(({ name, size, offset }) => [name, size, offset]),
    )
  })
})

/** The file has holes for the content. */
async function writeSparse(handle: FileHandle, entries: readonly PlacedEntry[]): Promise<void> {
  for (const entry of entries) await write(handle, localHeader(entry, AT), entry.offset)
  const offset = 7_000_000_000
  let size = 0
  for (const entry of entries) size += await write(handle, centralHeader(entry, AT), offset + size)
  await write(handle, endOfZip(entries.length, { offset, size }), offset + size)
}

async function write(handle: FileHandle, bytes: Buffer, position: number): Promise<number> {
  return (await handle.write(bytes, 0, bytes.length, position)).bytesWritten
}

function listOf(file: string): Promise<(readonly [string, number, number])[]> {
  return new Promise((resolve, reject) => {
    yauzl.open(file, { lazyEntries: false }, (error, zip) => {
      if (error !== null) return reject(error)
      const found: (readonly [string, number, number])[] = []
      zip.on('error', reject)
      zip.on('entry', ({ fileName, uncompressedSize, relativeOffsetOfLocalHeader: at }: yauzl.Entry) =>
        found.push([fileName, uncompressedSize, at]),
      )
      zip.on('end', () => resolve(found))
    })
  })
}
