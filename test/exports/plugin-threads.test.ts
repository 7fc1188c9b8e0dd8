// What a plugin in its thread is told, and what of its answers reaches the main thread: real threads.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Destination, RunContext } from '../../src/kernel/destination.ts'
import { readMessage } from '../../src/exports/plugin-threads/plugin-messages.ts'
import { createPluginThreads, type PluginThreads } from '../../src/exports/plugin-threads/plugin-threads.ts'
import { makeExportFile, type TestFile } from '../helpers/export-file.ts'
import { eventually } from '../helpers/puppet.ts'
import { makeLeftovers, makeRunContext } from '../helpers/run-context.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { deliverWild, putPlugin, WILD, WILD_LIMITS } from '../helpers/wild-plugin.ts'

describe('A plugin', () => {
  const directory = makeTempDirectory()
  let threads: PluginThreads
  let wild: Destination
  let file: TestFile

  before(async () => {
    threads = createPluginThreads({ allow: [], limits: WILD_LIMITS })
    file = await makeExportFile('a.csv', 1000)
    wild = await threads.load(putPlugin(directory, 'wild.mjs', WILD))
  })
  after(() => threads.close())

  const deliver = (does: string, context?: RunContext): Promise<string> => deliverWild(wild, file, does, context)
  const works = async (): Promise<void> => assert.match(await deliver(''), /^calls: /)

  it('is called with what its schema made of the settings, though that cannot leave the thread', async () => {
    assert.equal(await deliver('return t.config.moment.getTime() + t.config.double()'), '2')
    const { value } = (await wild.config['~standard'].validate({ a: 1, does: '' })) as { value: unknown }
    assert.deepEqual(value, { a: 1, does: '' })
  })

  it('drops settings that its schema drops, and refuses what its schema refuses', async () => {
    const validate = async (schema: string) => wild.config['~standard'].validate({ schema, other: 1 })
    assert.deepEqual(await validate('return { value: { other: 5 } }'), { value: { other: 1 } })
    assert.deepEqual(await validate('return { value: 7 }'), { value: { schema: 'return { value: 7 }', other: 1 } })
    const issues = '[{ message: 1, path: [{ key: "a" }, 0, Symbol("s")] }, { message: "no" }, null]'
    assert.deepEqual(await validate(`return { issues: ${issues} }`), {
      issues: [{ message: '1', path: ['a', 0, 'Symbol(s)'] }, { message: 'no' }, { message: 'undefined' }],
    })
    for (const wrong of ['', 'return 5', 'return { issues: 5 }']) await assert.rejects(async () => validate(wrong))
    await assert.rejects(async () => validate('throw new RangeError("no luck")'), {
      name: 'RangeError',
      message: 'no luck',
    })
    await assert.rejects(wild.deliver(file, { schema: `return { issues: ${issues} }` }, makeRunContext()), {
      permanent: true,
      message: 'the destination no longer takes its settings: a: 0: Symbol(s): 1',
    })
  })

  it('says where settings lead, after what its schema made of them, and which keys there are', async () => {
    const source = `export default {
      type: 'placed',
      keys: ['url', 'token', 'does'],
      secrets: ['token'],
      config: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: { ...value, made: 'by schema' } }) } },
      place: (config) => new Function('config', config.does)(config),
      async deliver() { return { destinationPath: 'x' } },
    }`
    const placed = await threads.load(putPlugin(directory, 'placed.mjs', source))
    assert.deepEqual([placed.keys, placed.secrets], [['url', 'token', 'does'], ['token']])
    const place = async (does: string) => placed.place?.({ does })
    assert.deepEqual(await place('return { hosts: { url: config.made }, secretsGoTo: { port: 22, key: undefined } }'), {
      hosts: { url: 'by schema' },
      secretsGoTo: { port: '22', key: 'undefined' },
    })
    assert.deepEqual(await place('return { hosts: 5 }'), { hosts: {} })
    assert.deepEqual(await place('return null'), { hosts: {} })
    const { secretsGoTo } = (await place(
      `return { secretsGoTo: { constructor: 1, ['__proto__']: 2, big: 'x'.repeat(1e7) } }`,
    ))!
    assert.deepEqual(Object.keys(secretsGoTo!), ['constructor', '__proto__', 'big'])
    assert.ok(String(secretsGoTo!['big']).length < 100_000)
    await assert.rejects(place('throw new RangeError("no place")'), { name: 'RangeError' })
    await assert.rejects(place('for (;;);'))
    assert.equal('place' in wild, false)
  })

  it('tells its faults with all that the runner looks at', async () => {
    const marks = '{ permanent: true, pauseJob: true, retryAfterMs: 5, code: "EX", cause: new TypeError("deep") }'
    const fault = (await deliver(`throw Object.assign(new RangeError('no'), ${marks})`).catch(
      (error: unknown) => error,
    )) as Error
    assert.ok(fault instanceof Error && fault.cause instanceof Error)
    assert.deepEqual(Object.fromEntries(Object.entries(fault)), {
      code: 'EX',
      permanent: true,
      pauseJob: true,
      retryAfterMs: 5,
    })
    assert.deepEqual([fault.name, fault.message, fault.cause.message], ['RangeError', 'no', 'deep'])
    assert.match(fault.stack!, /wild\.mjs/)
    const thrown = async (text: string): Promise<unknown> => deliver(`throw ${text}`).catch((error: unknown) => error)
    assert.deepEqual([await thrown('undefined'), await thrown('"x"'), await thrown('null')], [undefined, 'x', null])
    const other = await thrown('{ permanent: true, toString: () => "odd" }')
    assert.deepEqual([String(other), (other as { permanent: boolean }).permanent], ['odd', true])
    assert.equal(String(await thrown('Object.create(null)')), 'a fault that cannot be described')
    assert.equal(String(await thrown('Symbol("s")')), 'Symbol(s)')
    assert.equal(((await thrown('new Error("x".repeat(1e6))')) as Error).message.length, 65_536)
  })

  it('that says no path has said none', async () => {
    const silent = await threads.load(putPlugin(directory, 'silent.mjs', WILD.replace(/destinationPath: .* }/, '}')))
    assert.equal((await silent.deliver(file, { does: '' }, makeRunContext())).destinationPath, undefined)
  })

  it('reads the file, logs, and learns why its run is ended', async () => {
    assert.equal(
      await deliver('let n = 0; for await (const b of t.file.open({ start: 1, end: 500 })) n += b.length; return n'),
      '500',
    )
    const cancel = new AbortController()
    const context = makeRunContext({ signal: cancel.signal, runId: 'run-7', attempt: 3 })
    const waiting = `const { log, runId, attempt, signal } = t.context; log(runId + attempt + t.file.name); await t.once(signal, 'abort'); return signal.reason.name + signal.reason.message`
    const told = deliver(waiting, context)
    await eventually(() => context.lines.includes('run-73a.csv'))
    cancel.abort(new RangeError('enough'))
    assert.equal(await told, 'RangeErrorenough')
    await assert.rejects(deliver('', context), { message: 'enough' }, 'one that was ended before does not begin')
  })

  it('knows of its leftovers only what is kept', async () => {
    const leftovers = makeLeftovers('first')
    const slow = {
      ...leftovers,
      names: leftovers.names,
      note: (name: string) => sleep(50).then(() => leftovers.note(name)),
    }
    const context = makeRunContext({ leftovers: slow })
    const work =
      'const { leftovers: l } = t.context; await l.note("second"); await l.forget("first"); return JSON.stringify(await l.list())'
    assert.equal(await deliver(work, context), '["second"]')
    const refusing = { ...leftovers, names: [], note: () => Promise.reject(new TypeError('no name')) }
    const refused = deliver('await t.context.leftovers.note({ no() {} })', makeRunContext({ leftovers: refusing }))
    await assert.rejects(refused, { name: 'TypeError', message: 'no name' })
  })

  it('reaches only what destinations may reach', async () => {
    const server = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const work = `const r = t.http.get({ host: '127.0.0.1', port: ${port}, agent: t.context.network.httpAgent }); const [a] = await t.once(r, 'response'); a.resume(); return a.statusCode`
    await assert.rejects(deliver(work), { permanent: true, message: /127\.0\.0\.1 is refused/ })
    const open = createPluginThreads({ allow: ['127.0.0.1'], limits: WILD_LIMITS })
    const allowed = await open.load(putPlugin(directory, 'open.mjs', WILD))
    assert.equal((await allowed.deliver(file, { does: work }, makeRunContext())).destinationPath, '200')
    await open.close()
    server.close()
    await assert.rejects(allowed.deliver(file, { does: '' }, makeRunContext()), { message: 'the server is stopping' })
  })

  it('cannot speak with the main thread but through its context', async () => {
    const forged =
      '[1, null, {}, { kind: "done", call: 1 }, { kind: "loaded", facts: {} }, { kind: "log", call: 1, text: {} }]'
    assert.equal(
      await deliver(
        `for (const m of ${forged}) t.parentPort.postMessage(m); t.parentPort.close(); return typeof t.workerData.port`,
      ),
      'undefined',
    )
    await works()
    for (const [kind, more] of [
      ['done', { call: '1' }],
      ['failed', { call: 1 }],
      ['log', { call: 1, text: 'x'.repeat(65_537) }],
      ['ask', { work: 'drop' }],
      ['nothing', {}],
    ] as const)
      assert.equal(readMessage({ kind, ...more }), undefined)
    assert.deepEqual(readMessage({ kind: 'alive' }), { kind: 'alive' })
  })

  it('that says too much is left out of', async () => {
    const context = makeRunContext()
    await deliver('for (let i = 0; i < 50_000; i += 1) t.context.log("line " + i)', context)
    await eventually(() => /^\(490\d\d lines of the plugin were left out\)$/.test(context.lines.at(-1) ?? ''))
    // Those of the tests before count as well.
    assert.ok(context.lines.length <= 1001)
    const asking =
      'const all = []; for (let i = 0; i < 5000; i += 1) all.push(t.context.leftovers.list()); await Promise.all(all)'
    await assert.rejects(deliver(asking), { message: 'more than 1000 questions are asked at once' })
  })
})
