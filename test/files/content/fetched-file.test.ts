// Bytes of a store elsewhere as a file on this machine. Contract 4 §5.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { withFetched } from '../../../src/files/content/fetched-file.ts'
import { PimletError } from '../../../src/kernel/errors.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const placeOf = () => ({ arrivals: makeTempDirectory(), place: 's3://pictures' })

describe('A fetched file', () => {
  it('is there while it is worked on, and gone afterwards', async () => {
    const place = placeOf()
    const read = await withFetched(place, Readable.from([Buffer.from('ab'), Buffer.from('c')]), async (file) =>
      readFileSync(file, 'utf8'),
    )
    assert.equal(read, 'abc')
    assert.deepEqual(readdirSync(place.arrivals), [])
  })

  it('is unavailable where the store breaks off, and leaves nothing', async () => {
    const place = placeOf()
    async function* broken() {
      yield Buffer.from('ab')
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET', syscall: 'read' })
    }
    const fetching = withFetched(place, Readable.from(broken()), async () => assert.fail('the file is incomplete'))
    await assert.rejects(fetching, (error) => error instanceof PimletError && error.code === 'UNAVAILABLE')
    assert.deepEqual(readdirSync(place.arrivals), [])
  })

  it('is unavailable where the disk takes nothing, and the bytes are let go', async () => {
    const { arrivals, place } = placeOf()
    const bytes = Readable.from([Buffer.from('ab')])
    const missing = { arrivals: `${arrivals}/missing`, place }
    await assert.rejects(
      withFetched(missing, bytes, async () => undefined),
      { code: 'ENOENT' },
    )
    assert.ok(bytes.destroyed)
  })
})
