// The contract suite: what every destination promises (contract 1 §2.9, 1 §2.10, 2 §6), built in or loaded from
// `--plugins-dir`, tested through its public face against a real server. A plugin's own test calls
// `destinationContract(title, destination, startServer)`; only what is special to that destination is tested beside it.
// `npm run build` makes one file of it, `dist/plugin-contract.mjs`, for plugins outside of this repository.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findFault } from '../../src/exports/destinations/conformance.ts'
import type { Destination } from '../../src/kernel/destination.ts'
import { makeExportFile } from '../helpers/export-file.ts'
import { makeRunContext } from '../helpers/run-context.ts'
import {
  brokenLinks,
  cancelledRuns,
  cancelledRunsOverLinks,
  permanentFaults,
  refusedAddresses,
} from './contract-faults.ts'
import { severalFiles, severalOverLinks } from './contract-several.ts'
import { Suite } from './contract-suite.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export type RawConfig = Record<string, unknown>

/** A real server and what an onlooker, by other means than the plugin, sees there. */
export interface ContractServer {
  readonly address?: Address
  /** The job's `destinationConfig` that reaches the server at this address (its own, or a proxy's in front of it). */
  config(at: Address): RawConfig
  /** Configs whose credentials the server refuses, by name of the case. */
  wrongCredentials(at: Address): Record<string, RawConfig>
  /** Configs that name a bucket, directory, … which does not exist, by name of the case. */
  missingTarget(at: Address): Record<string, RawConfig>
  /** The same config, giving up a dead link after a second or two; without it only the run's signal ends such a test. */
  impatient?(config: RawConfig): RawConfig
  /** The `destinationPath` of a file of that name. */
  path(name: string, at: Address): string
  /** What a reader finds under the final name. */
  read(name: string): Promise<Buffer | undefined>
  /** Everything a reader finds, at or below the configured directory, by its whole name there. */
  visible(): Promise<readonly string[]>
  /** What no reader finds but somebody pays for: parts of uploads, temporary files. */
  hidden(): Promise<readonly string[]>
  /** Words that must never be seen in an error, a log line or a path. */
  readonly secrets: readonly string[]
  close(): Promise<void>
}

export interface ContractOptions {
  /** Why the server cannot be started here. */
  readonly skip?: string | false
  /** The destination is no server that could be far away: what needs a link that breaks is left out. */
  readonly withoutNetwork?: boolean
  /** The server discards what a fault left when the same name is written again, and offers no way to do it sooner. */
  readonly hiddenGoesWithNextDelivery?: boolean
  /** Bytes that the destination may read ahead of the link; default 40 MiB. */
  readonly readAhead?: number
  /** Bytes of the files whose deliveries break; default 10 MB. It should take several parts, where there are parts. */
  readonly brokenSize?: number
}

const MiB = 1024 * 1024
const AWKWARD_NAMES = [
  'two words.csv',
  'größe-日本.csv',
  'a&b=c.csv',
  'no#1.csv',
  '100%25.csv',
  'a+b.csv',
  "it's(1)!.csv",
]

export function destinationContract(
  title: string,
  destination: Destination,
  startServer: () => Promise<ContractServer>,
  options: ContractOptions = {},
): void {
  // One after the other, also where several suites run at once: each looks at all that its server holds.
  describe(title, { skip: options.skip ?? false, concurrency: 1 }, () => {
    const suite = new Suite(destination, startServer, options)
    before(() => suite.start())
    after(() => suite.stop())
    const hasNetwork = options.withoutNetwork !== true
    describe('a delivery', () => {
      deliveries(suite)
      if (hasNetwork) deliveriesOverLinks(suite)
    })
    if (destination.deliverAll !== undefined)
      describe('a delivery of several files', () => {
        severalFiles(suite)
        if (hasNetwork) severalOverLinks(suite)
      })
    describe('what no retry can mend', () => {
      permanentFaults(suite)
      if (hasNetwork) refusedAddresses(suite)
    })
    if (hasNetwork) describe('a broken link', () => brokenLinks(suite))
    describe('a cancelled run', () => {
      cancelledRuns(suite)
      if (hasNetwork) cancelledRunsOverLinks(suite)
    })
    describe('check()', () => checks(suite, hasNetwork))
    describe('config', () => configs(suite))
  })
}

function deliveries(suite: Suite): void {
  it('comes from an object that pimlet takes for a destination', () => {
    assert.equal(findFault(suite.destination), undefined)
  })

  it('brings the whole file, says where it is, and leaves nothing else', async () => {
    const file = await makeExportFile(suite.name('whole'), 100_000)
    const context = makeRunContext()
    const before = new Set(await suite.server.visible())
    const { destinationPath } = await suite.deliver(file, suite.ownConfig, context)
    assert.ok((await suite.server.read(file.name))?.equals(await file.bytes()))
    assert.equal(destinationPath, suite.path(file.name))
    suite.assertNoSecret(destinationPath + context.lines.join('\n'))
    assert.equal((await suite.server.visible()).filter((name) => !before.has(name)).length, 1)
    assert.deepEqual(await suite.server.hidden(), [])
    assert.deepEqual(context.leftovers.names, [])
  })

  it('replaces a file of the same name, also by a shorter one', async () => {
    const name = suite.name('replaced')
    await suite.deliver(await makeExportFile(name, 50_000), suite.ownConfig)
    const second = await makeExportFile(name, 20_000)
    await suite.deliver(second, suite.ownConfig)
    assert.ok((await suite.server.read(name))?.equals(await second.bytes()))
  })

  it('brings an empty file', async () => {
    const file = await makeExportFile(suite.name('empty'), 0)
    await suite.deliver(file, suite.ownConfig)
    assert.equal((await suite.server.read(file.name))?.length, 0)
  })

  for (const awkward of AWKWARD_NAMES) {
    it(`brings a file called ${awkward}`, async () => {
      const file = await makeExportFile(awkward, 100)
      const { destinationPath } = await suite.deliver(file, suite.ownConfig)
      assert.ok((await suite.server.read(awkward))?.equals(await file.bytes()))
      assert.equal(destinationPath, suite.path(awkward))
    })
  }

  it('brings 50 MB', async () => {
    const file = await makeExportFile(suite.name('large'), 50_000_000)
    const context = makeRunContext()
    await suite.deliver(file, suite.ownConfig, context)
    assert.ok((await suite.server.read(file.name))?.equals(await file.bytes()))
    assert.deepEqual(await suite.server.hidden(), [])
    assert.deepEqual(context.leftovers.names, [])
  })
}

function deliveriesOverLinks(suite: Suite): void {
  it('reads no further ahead than the link takes: the memory does not grow with the file', async () => {
    const { proxy, raw } = await suite.proxied()
    const file = await makeExportFile(suite.name('ahead'), 60_000_000)
    const cancel = new AbortController()
    proxy.blackHoleAfter(2_000_000)
    const context = makeRunContext({ signal: cancel.signal })
    const end = suite.failure(suite.deliver(file, raw, context))
    await proxy.waitFor(2_000_000)
    await whenStill(() => file.bytesRead())
    cancel.abort()
    await end
    const limit = 2_000_000 + (suite.options.readAhead ?? 40 * MiB)
    assert.ok(file.bytesRead() < limit, `${file.bytesRead()} bytes read while the link had taken 2000000`)
    proxy.pass()
    await suite.sweep(raw, makeRunContext({ leftovers: context.leftovers }))
    await proxy.kill()
  })

  it('arrives over a slow link', async () => {
    const { proxy, raw } = await suite.proxied()
    const file = await makeExportFile(suite.name('slow'), 150_000)
    proxy.slowTo(200_000)
    const started = performance.now()
    await suite.deliver(file, raw)
    assert.ok(performance.now() - started > 500, 'it was slow')
    assert.ok((await suite.server.read(file.name))?.equals(await file.bytes()))
    await proxy.kill()
  })
}

function checks(suite: Suite, hasNetwork: boolean): void {
  it('agrees with a destination that can be written, and leaves nothing there', async (t) => {
    if (!suite.destination.check) return t.skip('the destination has no check')
    const link = hasNetwork ? await suite.proxied() : undefined
    const before = await suite.server.visible()
    const context = makeRunContext()
    await suite.destination.check(await suite.parse(link?.raw ?? suite.ownConfig), context)
    if (link) assert.ok(link.proxy.connections > 0, 'it asked the server')
    assert.deepEqual(await suite.server.visible(), before)
    assert.deepEqual(await suite.server.hidden(), [])
    assert.deepEqual(context.leftovers.names, [])
    await link?.proxy.kill()
  })

  if (!hasNetwork) return
  it('ends with the signal over a dead link', async (t) => {
    if (!suite.destination.check) return t.skip('the destination has no check')
    const { proxy, raw } = await suite.proxied()
    proxy.blackHoleAfter(0)
    const cancel = new AbortController()
    const config = await suite.parse(raw)
    const end = suite.failure(suite.destination.check(config, makeRunContext({ signal: cancel.signal })))
    await proxy.waitFor(1)
    const started = performance.now()
    cancel.abort()
    await end
    assert.ok(performance.now() - started < 10_000)
    await proxy.kill()
  })
}

function configs(suite: Suite): void {
  it('drops keys that it does not know', async () => {
    const raw = suite.ownConfig
    assert.deepEqual(await suite.parse({ ...raw, 'no such key': 1 }), await suite.parse(raw))
  })

  it('names the field that is missing', async () => {
    const result = await suite.destination.config['~standard'].validate({})
    assert.ok(result.issues && result.issues.length > 0)
    for (const issue of result.issues) assert.ok(issue.message.length > 0)
  })

  it('refuses what is not an object', async () => {
    for (const value of [null, 'text', 7, []]) {
      const result = await suite.destination.config['~standard'].validate(value)
      assert.ok(result.issues && result.issues.length > 0, JSON.stringify(value))
    }
  })
}

/** Until the number has stayed the same for a while. */
async function whenStill(read: () => number): Promise<void> {
  for (let before = -1; before !== read();) {
    before = read()
    await pause(300)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
