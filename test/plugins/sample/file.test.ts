// The sample of a destination from outside, loaded as a user's would be, held to the contract as far as it has no network.
import assert from 'node:assert/strict'
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Destination } from '../../../src/exports/destination.ts'
import { loadPlugins } from '../../../src/exports/plugin-loader.ts'
import { makeExportFile } from '../../helpers/export-file.ts'
import { makeLeftovers, makeRunContext } from '../../helpers/run-context.ts'

describe('the sample destination "file"', () => {
  let root = ''
  let directory = ''
  let file: Destination

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'pimlet-file-'))
    await chmod(root, 0o755)
    await copyFile(join(import.meta.dirname, 'file.mjs'), join(root, 'file.mjs'))
    const loaded = (await loadPlugins(root, [])).get('file')
    assert.ok(loaded)
    file = loaded
  })
  after(() => rm(root, { recursive: true, force: true }))
  beforeEach(async () => {
    directory = await mkdtemp(join(root, 'out-'))
  })

  async function parse(raw: unknown): Promise<unknown> {
    const result = await file.config['~standard'].validate(raw)
    assert.ok(!result.issues)
    return result.value
  }

  it('takes an absolute path, and says what is wrong with anything else', async () => {
    assert.deepEqual(await parse({ directory, more: 1 }), { directory })
    for (const raw of [{}, null, 7, [], { directory: 'out' }, { directory: '/a\0b' }]) {
      const { issues } = await file.config['~standard'].validate(raw)
      assert.deepEqual(issues, [{ message: 'must be an absolute path', path: ['directory'] }])
    }
  })

  it('brings the whole file under its name and leaves nothing else', async () => {
    for (const [name, size] of Object.entries({
      'a.csv': 100_000,
      'größe 日本#1.csv': 10,
      'empty.csv': 0,
      'large.csv': 50_000_000,
    })) {
      const context = makeRunContext()
      const source = await makeExportFile(name, size)
      const { destinationPath } = await file.deliver(source, await parse({ directory }), context)
      assert.equal(destinationPath, join(directory, name))
      assert.ok((await readFile(destinationPath)).equals(await source.bytes()))
      assert.deepEqual(context.leftovers.names, [])
    }
    assert.equal((await readdir(directory)).length, 4)
  })

  it('replaces a file of the same name', async () => {
    await writeFile(join(directory, 'a.csv'), 'x'.repeat(5_000))
    const source = await makeExportFile('a.csv', 1_000)
    await file.deliver(source, await parse({ directory }), makeRunContext())
    assert.ok((await readFile(join(directory, 'a.csv'))).equals(await source.bytes()))
  })

  it('is no success when what was written is not the export', async () => {
    const source = await makeExportFile('a.csv', 1_000)
    for (const wrong of [
      { ...source, size: 999 },
      { ...source, sha256: '0'.repeat(64) },
    ]) {
      const context = makeRunContext()
      await assert.rejects(file.deliver(wrong, await parse({ directory }), context), { message: /is not the export/ })
      assert.deepEqual(await readdir(directory), [])
      assert.deepEqual(context.leftovers.names, [])
    }
  })

  it('ends at once where there is no such directory', async () => {
    const config = await parse({ directory: join(directory, 'missing') })
    const context = makeRunContext()
    await assert.rejects(file.deliver(await makeExportFile('a.csv', 10), config, context), { permanent: true })
    await assert.rejects(file.check?.(config, context) ?? Promise.resolve(), { permanent: true })
    assert.deepEqual(context.leftovers.names, [])
  })

  it('ends with the signal and leaves nothing', async () => {
    const cancel = new AbortController()
    const context = makeRunContext({ signal: cancel.signal })
    const source = await makeExportFile('a.csv', 80_000_000)
    const end = assert.rejects(file.deliver(source, await parse({ directory }), context), { name: 'AbortError' })
    while (source.bytesRead() < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 1))
    cancel.abort()
    await end
    assert.deepEqual(await readdir(directory), [])
    assert.deepEqual(context.leftovers.names, [])
    await assert.rejects(file.deliver(source, await parse({ directory }), context), { name: 'AbortError' })
  })

  it('can be checked without leaving anything', async () => {
    const before = (await stat(directory)).mode
    const context = makeRunContext()
    await file.check?.(await parse({ directory }), context)
    assert.deepEqual(await readdir(directory), [])
    assert.equal((await stat(directory)).mode, before)
    assert.deepEqual(context.leftovers.names, [])
  })

  it('sweeps its own temporary files and nothing else', async () => {
    const [own, other] = ['.pimlet-run-1-x.part', 'precious.csv'].map((name) => join(directory, name))
    assert.ok(own && other)
    for (const path of [own, other]) await writeFile(path, 'x')
    const leftovers = makeLeftovers(own, other, join(directory, '.pimlet-gone.part'))
    await file.sweep?.(await parse({ directory }), makeRunContext({ leftovers }))
    assert.deepEqual(await readdir(directory), ['precious.csv'])
    assert.deepEqual(leftovers.names, [other])
  })
})
