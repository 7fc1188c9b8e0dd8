// The sample of a destination from outside, loaded as a user's would be, held to the contract as far as it has no network.
import assert from 'node:assert/strict'
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { loadPlugins } from '../../../src/exports/destinations/plugin-loader.ts'
import { createPluginThreads } from '../../../src/exports/plugin-threads/plugin-threads.ts'
import { makeExportFile } from '../../helpers/export-file.ts'
import { makeLeftovers, makeRunContext } from '../../helpers/run-context.ts'
import { destinationContract, type ContractServer } from '../contract.ts'

const root = await mkdtemp(join(tmpdir(), 'pimlet-file-'))
await chmod(root, 0o755)
await copyFile(join(import.meta.dirname, 'file.mjs'), join(root, 'file.mjs'))
const threads = createPluginThreads({ allow: [] })
const file = (await loadPlugins(root, [], threads)).get('file') ?? assert.fail('the sample is loaded')
after(async () => {
  await threads.close()
  await rm(root, { recursive: true, force: true })
})

const isTemporary = (name: string): boolean => name.startsWith('.pimlet-')

async function openDirectory(): Promise<ContractServer> {
  const directory = await mkdtemp(join(root, 'out-'))
  return {
    config: () => ({ directory }),
    wrongCredentials: () => ({}),
    missingTarget: () => ({ 'no such directory': { directory: join(directory, 'missing') } }),
    path: (name) => join(directory, name),
    read: (name) => readFile(join(directory, name)).catch(() => undefined),
    visible: async () => (await readdir(directory)).filter((name) => !isTemporary(name)),
    hidden: async () => (await readdir(directory)).filter(isTemporary),
    secrets: [],
    close: async () => undefined,
  }
}

destinationContract('the sample destination "file"', file, openDirectory, { withoutNetwork: true })

describe('the sample destination "file", beside the contract,', () => {
  let directory = ''

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

  it('ends with the signal and leaves nothing', async () => {
    const cancel = new AbortController()
    const context = makeRunContext({ signal: cancel.signal })
    const source = await makeExportFile('a.csv', 80_000_000)
    const end = assert.rejects(file.deliver(source, await parse({ directory }), context), { name: 'AbortError' })
    const hasBegun = async (): Promise<boolean> => {
      const sizes = (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size)
      return (await Promise.all(sizes)).some((size) => size > 1_000_000)
    }
    while (!(await hasBegun())) await new Promise((resolve) => setTimeout(resolve, 1))
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
