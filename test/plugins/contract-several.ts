// The part of the contract suite about several files of one run: for destinations that have `deliverAll`.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ExportFile, RunContext, SeveralContext } from '../../src/kernel/destination.ts'
import { makeExportFile, type TestFile } from '../helpers/export-file.ts'
import { makeRunContext, type TestRunContext } from '../helpers/run-context.ts'
import type { RawConfig } from './contract.ts'
import type { Suite } from './contract-suite.ts'

/** Files that a destination may have taken and not confirmed. */
const MOST_IN_FLIGHT = 16
/** Milliseconds on a busy machine. */
const PROMPT_MS = 10_000

interface Several {
  readonly context: TestRunContext & SeveralContext
  /** Names in the order of their confirmation. */
  readonly confirmed: string[]
  /** Files that were taken. */
  taken: number
  readonly files: () => AsyncGenerator<ExportFile, void>
}

/** What the runner hands over: files are counted as they are taken, and confirmed ones noted. */
export function severalOf(
  all: readonly ExportFile[],
  over: Partial<RunContext> = {},
  onDelivered: (file: ExportFile) => Promise<void> = async () => undefined,
): Several {
  const confirmed: string[] = []
  const delivered = async (file: ExportFile): Promise<void> => {
    await onDelivered(file)
    confirmed.push(file.name)
  }
  const context = Object.assign(makeRunContext(over), { delivered })
  const several: Several = {
    context,
    confirmed,
    taken: 0,
    files: async function* () {
      for (const file of all) {
        several.taken += 1
        yield file
      }
    },
  }
  return several
}

async function makeFiles(suite: Suite, sizes: readonly number[]): Promise<TestFile[]> {
  const made: TestFile[] = []
  for (const size of sizes) made.push(await makeExportFile(suite.name('beside'), size, 'image/jpeg'))
  return made
}

const send = async (suite: Suite, raw: RawConfig, { files, context }: Several): Promise<void> =>
  suite.destination.deliverAll?.(files(), await suite.parse(raw), context)

async function assertThere(suite: Suite, files: readonly TestFile[]): Promise<void> {
  for (const file of files)
    assert.ok((await suite.server.read(file.name))?.equals(await file.bytes()), `${file.name} is whole`)
}

export function severalFiles(suite: Suite): void {
  it('brings every file whole, confirms each when it is there, and leaves nothing else', async () => {
    const all = await makeFiles(suite, [1000, 0, 12_000_000, 70_000, 1, 300_000, 9_000_000, 5, 5, 5])
    const before = new Set(await suite.server.visible())
    const several = severalOf(all, {}, async (file) => {
      const there = await suite.server.read(file.name)
      assert.equal(there?.length, file.size, 'confirmed files are there')
    })
    await send(suite, suite.ownConfig, several)
    assert.deepEqual(several.confirmed.toSorted(), all.map(({ name }) => name).toSorted())
    await assertThere(suite, all)
    assert.equal((await suite.server.visible()).filter((name) => !before.has(name)).length, all.length)
    assert.deepEqual(await suite.server.hidden(), [])
    assert.deepEqual(several.context.leftovers.names, [])
    suite.assertNoSecret(several.context.lines.join('\n'))
  })

  it('brings none where there is none', async () => {
    const before = await suite.server.visible()
    await send(suite, suite.ownConfig, severalOf([]))
    assert.deepEqual(await suite.server.visible(), before)
  })

  it('takes a file only when it can be sent', async () => {
    const all = await makeFiles(
      suite,
      Array.from({ length: 60 }, () => 2000),
    )
    let most = 0
    const several = severalOf(
      all,
      {},
      async () => void (most = Math.max(most, several.taken - several.confirmed.length)),
    )
    await send(suite, suite.ownConfig, several)
    assert.ok(most <= MOST_IN_FLIGHT, `${most} files were taken before they could be sent`)
  })

  it('ends with the fault of the files themselves, and of their confirmation', async () => {
    const all = await makeFiles(suite, [100, 100])
    const faulty = severalOf(all)
    const failing = async function* (): AsyncGenerator<ExportFile, void> {
      yield* faulty.files()
      throw new Error('no further file can be made')
    }
    const first = await suite.failure(send(suite, suite.ownConfig, { ...faulty, files: failing }), faulty.context)
    assert.equal(first.message, 'no further file can be made')
    const unnoted = severalOf(all, {}, () => Promise.reject(new Error('it cannot be noted')))
    const second = await suite.failure(send(suite, suite.ownConfig, unnoted), unnoted.context)
    assert.equal(second.message, 'it cannot be noted')
    assert.deepEqual(await suite.server.hidden(), [])
  })
}

export function severalOverLinks(suite: Suite): void {
  const sizes = Array.from({ length: 12 }, () => 400_000)

  for (const at of [0, 1_000_000, 2_500_000]) {
    it(`a reset after ${at} bytes leaves confirmed files whole, and the next attempt sends only the rest`, async () => {
      const { proxy, raw } = await suite.proxied()
      const all = await makeFiles(suite, sizes)
      const broken = severalOf(all)
      proxy.resetAfter(at)
      const error = await suite.failure(send(suite, raw, broken), broken.context)
      assert.notEqual((error as { permanent?: boolean }).permanent, true, error.message)
      assert.ok(broken.confirmed.length < all.length)
      await assertThere(
        suite,
        all.filter(({ name }) => broken.confirmed.includes(name)),
      )
      for (const file of all) {
        const there = await suite.server.read(file.name)
        assert.ok(there === undefined || there.equals(await file.bytes()), 'whole or absent')
      }
      proxy.pass()
      const again = { leftovers: broken.context.leftovers, attempt: 2 }
      await suite.sweep(raw, makeRunContext(again))
      const rest = severalOf(
        all.filter(({ name }) => !broken.confirmed.includes(name)),
        again,
      )
      await send(suite, raw, rest)
      await assertThere(suite, all)
      assert.deepEqual(await suite.server.hidden(), [])
      assert.deepEqual(rest.context.leftovers.names, [])
      await proxy.kill()
    })
  }

  it('a cancelled run ends at once over a slow link, with no half file', async () => {
    const { proxy, raw } = await suite.proxied()
    const all = await makeFiles(suite, sizes)
    const cancel = new AbortController()
    const several = severalOf(all, { signal: cancel.signal })
    proxy.slowTo(500_000)
    const end = suite.failure(send(suite, raw, several), several.context)
    await proxy.waitFor(500_000)
    const started = performance.now()
    cancel.abort()
    await end
    assert.ok(performance.now() - started < PROMPT_MS)
    for (const file of all) {
      const there = await suite.server.read(file.name)
      assert.ok(there === undefined || there.equals(await file.bytes()), 'whole or absent')
    }
    proxy.pass()
    await suite.sweep(raw, makeRunContext({ leftovers: several.context.leftovers }))
    if (!suite.options.hiddenGoesWithNextDelivery) assert.deepEqual(await suite.server.hidden(), [])
    await proxy.kill()
  })
}
