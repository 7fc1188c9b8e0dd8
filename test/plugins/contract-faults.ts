// The part of the contract suite about faults: what no retry can mend, a broken link, a cancelled run.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeExportFile } from '../helpers/export-file.ts'
import { makeNetwork, makeRunContext, type TestRunContext } from '../helpers/run-context.ts'
import type { TcpProxy } from '../helpers/tcp-proxy.ts'
import type { RawConfig } from './contract.ts'
import { severalOf } from './contract-several.ts'
import type { Broken, Suite } from './contract-suite.ts'

/** Milliseconds on a busy machine: of dead links a destination's own limit would take longer. */
const PROMPT_MS = 10_000

export function permanentFaults(suite: Suite): void {
  const assertPermanent = async (cases: Record<string, RawConfig>, work: Work) => {
    assert.ok(
      suite.options.withoutNetwork === true || Object.keys(cases).length > 0,
      'the server names at least one case',
    )
    for (const [label, raw] of Object.entries(cases)) {
      const context = makeRunContext()
      const started = performance.now()
      const error = await suite.failure(work(raw, context), context)
      assert.equal(error.permanent, true, `${label}: ${error.message}`)
      assert.ok(performance.now() - started < 10_000, `${label}: at once`)
      assert.deepEqual(context.leftovers.names, [], label)
    }
  }

  for (const [road, work] of Object.entries(roads(suite))) {
    it(`wrong credentials end ${road} at once`, async () => assertPermanent(suite.wrongCredentials, work))

    it(`a target that does not exist ends ${road} at once`, async () => assertPermanent(suite.missingTarget, work))
  }
}

export function refusedAddresses(suite: Suite): void {
  for (const [road, work] of Object.entries(roads(suite))) {
    for (const rebound of [false, true]) {
      const when = rebound ? ' at the moment of connecting' : ''
      it(`an address that the network refuses${when} ends ${road}, and is not reached`, async () => {
        const { proxy, raw } = await suite.proxied()
        const context = makeRunContext({ network: makeNetwork([proxy.host, 'localhost', '::1'], { rebound }) })
        const error = await suite.failure(work(raw, context), context)
        assert.equal(error.permanent, true, error.message)
        assert.equal(proxy.connections, 0)
        await proxy.kill()
      })
    }
  }
}

type Work = (raw: RawConfig, context: TestRunContext) => Promise<unknown>

function roads(suite: Suite): Record<string, Work> {
  const deliver: Work = async (raw, context) =>
    suite.deliver(await makeExportFile(suite.name('refused'), 6_000_000), raw, context)
  const check: Work = async (raw, context) => suite.destination.check?.(await suite.parse(raw), context)
  const deliverAll: Work = async (raw, context) => {
    const { files, context: several } = severalOf([await makeExportFile(suite.name('refused'), 300_000)], context)
    await suite.destination.deliverAll?.(files(), await suite.parse(raw), several)
  }
  return {
    deliver,
    ...(suite.destination.deliverAll ? { deliverAll } : {}),
    ...(suite.destination.check ? { check } : {}),
  }
}

export function brokenLinks(suite: Suite): void {
  const size = suite.brokenSize
  // A number of bytes for each stage of a delivery: before the first answer, in the middle, in the last breath.
  for (const at of [0, 700, size / 2, size - 100_000, size + 1500]) {
    it(`reset after ${at} bytes of ${size} can be retried and leaves nothing half done`, async () => {
      const { proxy, raw } = await suite.proxied()
      const file = await makeExportFile(suite.name('reset'), size)
      const context = makeRunContext()
      proxy.resetAfter(at)
      const error = await attempt(suite.deliver(file, raw, context))
      const there = await suite.server.read(file.name)
      if (error) assert.notEqual(isPermanent(error), true, error.message)
      if (at < file.size) assert.ok(error, 'a delivery over a broken link does not succeed')
      assert.ok(there === undefined || there.equals(await file.bytes()), 'whole or absent')
      if (at < file.size) assert.equal(there, undefined)
      if (!error) assert.ok(there, 'success means that it is there')
      proxy.pass()
      await suite.assertMends({ file, raw, context })
      await proxy.kill()
    })
  }

  it('reset half-way through a replacement leaves the old file whole', async () => {
    const { proxy, raw } = await suite.proxied()
    const name = suite.name('kept')
    const old = await makeExportFile(name, 40_000)
    await suite.deliver(old, raw)
    const next = await makeExportFile(name, size)
    const context = makeRunContext()
    proxy.resetAfter(size / 2)
    assert.notEqual((await suite.failure(suite.deliver(next, raw, context), context)).permanent, true)
    assert.ok((await suite.server.read(name))?.equals(await old.bytes()))
    proxy.pass()
    await suite.assertMends({ file: next, raw, context })
    await proxy.kill()
  })

  it('a server that is gone can be retried', async () => {
    const { proxy, raw } = await suite.proxied()
    await proxy.kill()
    const context = makeRunContext()
    const error = await suite.failure(
      suite.deliver(await makeExportFile(suite.name('gone'), 100), raw, context),
      context,
    )
    assert.notEqual(error.permanent, true, error.message)
  })

  const points = [0, size / 2]
  it(`links that go dead after ${points.join(' and ')} bytes are given up, and can be retried`, async (t) => {
    const { server } = suite
    const impatient = server.impatient?.bind(server)
    if (!impatient) return t.skip('the destination has no time limit that a test could shorten')
    // At the same time, because most of it is waiting.
    const links = await Promise.all(points.map((at) => giveUp(suite, impatient, at)))
    for (const { proxy } of links) proxy.pass()
    await suite.assertMends(...links)
    for (const { proxy } of links) await proxy.kill()
  })
}

/** Delivers over a link that goes dead after `at` bytes. */
async function giveUp(
  suite: Suite,
  impatient: (raw: RawConfig) => RawConfig,
  at: number,
): Promise<Broken & { proxy: TcpProxy }> {
  const { proxy, raw } = await suite.proxied()
  const file = await makeExportFile(suite.name('dead'), suite.brokenSize)
  const context = makeRunContext()
  proxy.blackHoleAfter(at)
  const started = performance.now()
  const error = await suite.failure(suite.deliver(file, impatient(raw), context), context)
  assert.notEqual(error.permanent, true, error.message)
  assert.ok(performance.now() - started < 12_000, 'it gave up in time')
  assert.equal(await suite.server.read(file.name), undefined)
  return { proxy, file, raw, context }
}

export function cancelledRuns(suite: Suite): void {
  it('does not begin when it was cancelled before', async () => {
    const link = suite.server.address && (await suite.proxied())
    const before = await suite.server.visible()
    const context = makeRunContext({ signal: AbortSignal.abort() })
    const file = await makeExportFile(suite.name('never'), 100)
    await suite.failure(suite.deliver(file, link?.raw ?? suite.ownConfig, context), context)
    if (link) assert.equal(link.proxy.received, 0)
    assert.deepEqual(await suite.server.visible(), before)
    await link?.proxy.kill()
  })
}

export function cancelledRunsOverLinks(suite: Suite): void {
  const links: Record<string, (proxy: TcpProxy) => void> = {
    'over a slow link': (proxy) => proxy.slowTo(3_000_000),
    'over a dead link': (proxy) => proxy.blackHoleAfter(1_000_000),
  }
  for (const [what, spoil] of Object.entries(links)) {
    it(`ends at once ${what}, with nothing under the final name`, async () => {
      const { proxy, raw } = await suite.proxied()
      const file = await makeExportFile(suite.name('cancelled'), suite.brokenSize)
      const cancel = new AbortController()
      const context = makeRunContext({ signal: cancel.signal })
      spoil(proxy)
      const end = suite.failure(suite.deliver(file, raw, context), context)
      await proxy.waitFor(900_000)
      const started = performance.now()
      cancel.abort()
      await end
      assert.ok(performance.now() - started < PROMPT_MS, `it took ${Math.round(performance.now() - started)} ms`)
      assert.equal(await suite.server.read(file.name), undefined)
      proxy.pass()
      await suite.assertMends({ file, raw, context })
      await proxy.kill()
    })
  }
}

function isPermanent(error: unknown): boolean {
  return error instanceof Error && 'permanent' in error && error.permanent === true
}

async function attempt(work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error('the destination threw something that is no error')
  }
}
