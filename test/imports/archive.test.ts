// Reading the parts of a zip: small ones at once, large ones piece by piece, with the same bytes and the same faults.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { Archive, FILES } from '../../src/imports/readers/archive.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { part, type ZipPart, zipOf } from '../helpers/zip-file.ts'

const MIB = 1024 ** 2
/** Random bytes do not shrink, and text does. */
const CONTENTS = [Buffer.alloc(0), randomBytes(200_000), Buffer.from('text '.repeat(300_000)), randomBytes(MIB + 1)]

async function withArchive(parts: readonly ZipPart[], work: (zip: Archive) => Promise<void>): Promise<void> {
  const file = path.join(makeTempDirectory(), 'a.zip')
  writeFileSync(file, zipOf(...parts))
  const zip = await Archive.open(file, FILES)
  try {
    await work(zip)
  } finally {
    zip.close()
  }
}

describe('Parts of a zip', () => {
  it('are read whole, small or large, packed or not, many at once', async () => {
    const parts = CONTENTS.flatMap((bytes, index) =>
      [0, 8].map((method) => part(`${index}-${method}`, bytes, { method })),
    )
    await withArchive(parts, async (zip) => {
      await Promise.all(
        parts.map(async ({ name, bytes }) => {
          const chunks = await Array.fromAsync(zip.read(String(name)))
          assert.ok(Buffer.concat(chunks).equals(bytes), String(name))
        }),
      )
    })
  })

  it('come in one chunk where they are small', async () => {
    await withArchive([part('a', CONTENTS[1], { method: 8 })], async (zip) => {
      assert.equal((await Array.fromAsync(zip.read('a'))).length, 1)
    })
  })

  it('are refused where they differ from the directory', async () => {
    const text = CONTENTS[2]!
    for (const bytes of [text.subarray(0, 1000), text]) {
      const faults: [string, Partial<ZipPart>][] = [
        ['the sum', { crc: 1 }],
        ['the packing', { method: 8, packed: Buffer.from('no deflate') }],
        ['a smaller size', { method: 8, size: bytes.length - 1 }],
        ['a larger size', { method: 8, size: bytes.length + 1 }],
      ]
      for (const [what, more] of faults)
        await withArchive([part('a', bytes, more)], async (zip) => {
          await assert.rejects(Array.fromAsync(zip.read('a')), /damaged/, `${what}, ${bytes.length} bytes`)
        })
    }
  })
})
