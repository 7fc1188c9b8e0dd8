// The state of one run of the contract suite: the server, names that do not collide, and the assertions which several
// of its tests share.
import assert from 'node:assert/strict'
import type { Delivery, Destination } from '../../src/kernel/destination.ts'
import { makeExportFile, type TestFile } from '../helpers/export-file.ts'
import { makeRunContext, type TestRunContext } from '../helpers/run-context.ts'
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'
import type { ContractOptions, ContractServer, RawConfig } from './contract.ts'

const NOWHERE = { host: '', port: 0 }

export class Suite {
  readonly destination: Destination
  readonly options: ContractOptions
  readonly #startServer: () => Promise<ContractServer>
  readonly #proxies = new Set<TcpProxy>()
  #server: ContractServer | undefined
  #count = 0

  constructor(destination: Destination, startServer: () => Promise<ContractServer>, options: ContractOptions) {
    this.destination = destination
    this.#startServer = startServer
    this.options = options
  }

  get server(): ContractServer {
    assert.ok(this.#server, 'the server is started before the tests')
    return this.#server
  }

  async start(): Promise<void> {
    this.#server = await this.#startServer()
    // The first delivery loads the SDK: not a part of what is timed below.
    await this.deliver(await makeExportFile('warm-up.csv', 10), this.ownConfig)
  }

  /** Also what a test that failed has left open. */
  async stop(): Promise<void> {
    await Promise.all([...this.#proxies].map((proxy) => proxy.kill()))
    await this.#server?.close()
  }

  /** The config that reaches the server itself. */
  get ownConfig(): RawConfig {
    return this.server.config(this.server.address ?? NOWHERE)
  }

  get wrongCredentials(): Record<string, RawConfig> {
    return this.server.wrongCredentials(this.server.address ?? NOWHERE)
  }

  get missingTarget(): Record<string, RawConfig> {
    return this.server.missingTarget(this.server.address ?? NOWHERE)
  }

  /** The `destinationPath` of a file that is delivered with `ownConfig`. */
  path(name: string): string {
    return this.server.path(name, this.server.address ?? NOWHERE)
  }

  get brokenSize(): number {
    return this.options.brokenSize ?? 10_000_000
  }

  /** A name of its own for every test, so that none depends on another. */
  name(what: string): string {
    return `${what}-${++this.#count}.csv`
  }

  async parse(raw: RawConfig): Promise<unknown> {
    const result = await this.destination.config['~standard'].validate(raw)
    assert.ok(!result.issues, `the config is valid: ${JSON.stringify(result.issues)}`)
    return result.value
  }

  async deliver(file: TestFile, raw: RawConfig, context: TestRunContext = makeRunContext()): Promise<Delivery> {
    return this.destination.deliver(file, await this.parse(raw), context)
  }

  async sweep(raw: RawConfig, context: TestRunContext): Promise<void> {
    await this.destination.sweep?.(await this.parse(raw), context)
  }

  /** A proxy in front of the server, and the config that leads through it. It is killed with the suite, or sooner. */
  async proxied(): Promise<{ proxy: TcpProxy; raw: RawConfig }> {
    assert.ok(this.server.address, 'a destination with a network has an address')
    const proxy = await startTcpProxy(this.server.address)
    this.#proxies.add(proxy)
    return { proxy, raw: this.server.config(proxy) }
  }

  assertNoSecret(text: string): void {
    for (const secret of this.server.secrets) assert.ok(!text.includes(secret), `no secret in: ${text}`)
  }

  /** The error with which `work` ends; its text and its log free of secrets. */
  async failure(work: Promise<unknown>, context?: TestRunContext): Promise<Error & { permanent?: boolean }> {
    const error = await work.then(
      () => assert.fail('it must not succeed'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof Error)
    this.assertNoSecret(allText(error))
    this.assertNoSecret(context?.lines.join('\n') ?? '')
    return error
  }

  /** After faults: the next attempts succeed, and nothing but the files is there. */
  async assertMends(...broken: readonly Broken[]): Promise<void> {
    const attempts = broken.map((one) => ({
      ...one,
      again: makeRunContext({ leftovers: one.context.leftovers, attempt: 2 }),
    }))
    for (const { raw, again } of attempts) await this.sweep(raw, again)
    if (!this.options.hiddenGoesWithNextDelivery) assert.deepEqual(await this.server.hidden(), [])
    for (const { context } of attempts) assert.deepEqual(context.leftovers.names, [], 'what was swept is forgotten')
    for (const { file, raw, again } of attempts) {
      await this.deliver(file, raw, again)
      assert.ok((await this.server.read(file.name))?.equals(await file.bytes()), 'the next attempt delivers it whole')
    }
    assert.deepEqual(await this.server.hidden(), [])
    for (const { context } of attempts) assert.deepEqual(context.leftovers.names, [])
  }
}

/** A delivery that has failed. */
export interface Broken {
  readonly file: TestFile
  readonly raw: RawConfig
  readonly context: TestRunContext
}

/** Everything of an error that could be written down somewhere: message, stack, fields, causes. */
function allText(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? ''
  const fields = Object.values(error).map((value) => (typeof value === 'string' ? value : ''))
  return [error.name, error.message, error.stack ?? '', ...fields, error.cause ? allText(error.cause) : ''].join('\n')
}
