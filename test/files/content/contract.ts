// Says what every store of bytes must do, against a directory and against real servers.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { type ContentStore, MissingContent } from '../../../src/files/content/content-store.ts'

export interface StageOfStore {
  readonly store: ContentStore
  /** The same bytes behind another store, as another server has it. */
  readonly other: ContentStore
  /** Puts a file that is no content beside the content. */
  readonly addStranger: () => Promise<void>
  readonly close?: () => Promise<void>
}

export function contentStoreContract(
  name: string,
  open: () => Promise<StageOfStore>,
  skip: string | false = false,
): void {
  describe(`Content in ${name}`, { skip }, () => {
    let stage: StageOfStore
    let count = 0
    before(async () => {
      stage = await open()
      await stage.store.prepare()
      await stage.other.prepare()
    })
    after(() => stage.close?.())

    /** Makes a file as an upload leaves it. */
    function arrive(content: Buffer): { sha256: string; file: string; content: Buffer } {
      const file = path.join(stage.store.arrivals, `arrived-${(count += 1)}`)
      writeFileSync(file, content)
      return { sha256: createHash('sha256').update(content).digest('hex'), file, content }
    }

    async function keep(content: Buffer): Promise<string> {
      const { sha256, file } = arrive(content)
      await stage.store.keep(sha256, file)
      assert.equal(existsSync(file), false, 'the arrived file is taken')
      return sha256
    }

    const read = async (store: ContentStore, sha256: string, range?: { start: number; end: number }) =>
      Buffer.concat(await (await store.open(sha256, range)).toArray())

    it('is read back whole, here and by another server', async () => {
      const content = randomBytes(300_000)
      const sha256 = await keep(content)
      assert.deepEqual(await read(stage.store, sha256), content)
      assert.deepEqual(await read(stage.other, sha256), content)
      assert.equal(await stage.store.sizeOf(sha256), content.length)
    })

    it('may be empty', async () => {
      const sha256 = await keep(Buffer.alloc(0))
      assert.equal(await text(await stage.store.open(sha256)), '')
      assert.equal(await stage.store.sizeOf(sha256), 0)
    })

    it('is read in part', async () => {
      const content = randomBytes(200_000)
      const sha256 = await keep(content)
      assert.deepEqual(await read(stage.store, sha256, { start: 0, end: 0 }), content.subarray(0, 1))
      assert.deepEqual(
        await read(stage.store, sha256, { start: 99_999, end: 150_000 }),
        content.subarray(99_999, 150_001),
      )
    })

    it('may be kept twice, also by two at once', async () => {
      const content = randomBytes(50_000)
      const files = [arrive(content), arrive(content), arrive(content)]
      await Promise.all(files.map(({ sha256, file }) => stage.store.keep(sha256, file)))
      assert.deepEqual(await read(stage.store, files[0]!.sha256), content)
      assert.deepEqual(
        files.filter(({ file }) => existsSync(file)),
        [],
      )
    })

    it('of 20 MB is read back whole, and as a file', async () => {
      const content = randomBytes(20_000_000)
      const sha256 = await keep(content)
      const names = (): string[] => readdirSync(stage.store.arrivals)
      const found = await stage.store.withFile(sha256, async (file) => readFileSync(file))
      assert.ok(found.equals(content))
      assert.deepEqual(names(), [], 'nothing is left')
    })

    it('that is not there is missing: to open, as a file and by its size', async () => {
      const sha256 = createHash('sha256').update(randomBytes(8)).digest('hex')
      await assert.rejects(stage.store.open(sha256), MissingContent)
      await assert.rejects(
        stage.store.withFile(sha256, async () => assert.fail('called')),
        MissingContent,
      )
      assert.equal(await stage.store.sizeOf(sha256), undefined)
    })

    it('is removed, and may be removed twice', async () => {
      const sha256 = await keep(randomBytes(1000))
      await stage.store.remove(sha256)
      assert.equal(await stage.store.sizeOf(sha256), undefined)
      await stage.store.remove(sha256)
    })

    it('is listed by its hash, and nothing else', async () => {
      await stage.addStranger()
      const kept = await Promise.all(Array.from({ length: 60 }, () => keep(randomBytes(100))))
      const listed = await Array.fromAsync(stage.store.list())
      assert.deepEqual(
        kept.filter((sha256) => !listed.includes(sha256)),
        [],
      )
      assert.deepEqual(
        listed.filter((sha256) => !/^[0-9a-f]{64}$/.test(sha256)),
        [],
      )
      assert.equal(new Set(listed).size, listed.length)
    })
  })
}
