// How a plugin ends that would not end by itself, and how little ends with it: real threads.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Destination, RunContext } from '../../src/kernel/destination.ts'
import { createPluginThreads, type PluginThreads } from '../../src/exports/plugin-threads/plugin-threads.ts'
import { makeExportFile, type TestFile } from '../helpers/export-file.ts'
import { eventually } from '../helpers/puppet.ts'
import { makeRunContext } from '../helpers/run-context.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { deliverWild, putPlugin, WILD, WILD_LIMITS } from '../helpers/wild-plugin.ts'

describe('A plugin that goes wrong', () => {
  const directory = makeTempDirectory()
  let threads: PluginThreads
  let wild: Destination
  let file: TestFile
  const faults: string[] = []

  before(async () => {
    threads = createPluginThreads({ allow: [], onFault: (message) => faults.push(message), limits: WILD_LIMITS })
    file = await makeExportFile('a.csv', 1000)
    wild = await threads.load(putPlugin(directory, 'wild.mjs', WILD))
  })
  after(() => threads.close())

  const deliver = (does: string, context?: RunContext): Promise<string> => deliverWild(wild, file, does, context)
  const works = async (): Promise<void> => assert.match(await deliver(''), /^calls: /)

  it('that never ends checking settings loses its thread, and the next check has another', async () => {
    const check = async (schema: string) => wild.config['~standard'].validate({ schema })
    await assert.rejects(async () => check('for (;;);'), { message: 'it took longer than 1 s' })
    assert.deepEqual(Object.keys(await check('return { value: {} }')), ['value'])
  })

  for (const call of ['deliver', 'check'] as const)
    it(`that never ends in ${call} ends with its run, and takes what else it does with it`, async () => {
      const own = new AbortController()
      const context = makeRunContext({ signal: own.signal })
      const other = deliver('t.context.log("begun"); await t.sleep(1e6)', context)
      await eventually(() => context.lines.length > 0)
      const cancel = new AbortController()
      const looping = makeRunContext({ signal: cancel.signal })
      const does = 't.context.log("looping"); for (;;);'
      const hanging = call === 'check' ? wild.check!({ does }, looping) : deliver(does, looping)
      await eventually(() => looping.lines.length > 0)
      cancel.abort(new Error('its time is over'))
      await assert.rejects(Promise.resolve(hanging), { message: 'its time is over' })
      const next = works()
      const fault = await other.catch((error: unknown) => error)
      assert.match(String(fault), /^Error: the thread of the plugin was ended: another call of it did not end$/)
      assert.ok(!('permanent' in (fault as object)))
      await next
    })

  it('that takes no notice of its signal is left alone with it, and other runs of it go on', async () => {
    const beats = path.join(directory, 'beats')
    const cancel = new AbortController()
    const deaf = deliver(
      `setInterval(() => t.fs.appendFileSync('${beats}', '.'), 5); await t.sleep(1e6)`,
      makeRunContext({ signal: cancel.signal }),
    )
    const context = makeRunContext()
    const other = deliver('t.context.log("begun"); await t.sleep(2500); return "whole"', context)
    await eventually(() => context.lines.length > 0 && existsSync(beats))
    cancel.abort(new Error('cancelled'))
    await assert.rejects(deaf, { message: 'cancelled' })
    assert.equal(await deliver(''), 'calls: 1', 'in a new thread')
    assert.equal(await other, 'whole')
    const written = async (): Promise<number> => {
      const before = readFileSync(beats).length
      await sleep(60)
      return readFileSync(beats).length - before
    }
    await eventually(async () => (await written()) === 0)
  })

  it('that ends its process ends its thread', async () => {
    const other = deliver('await t.sleep(1e6)').catch((error: Error) => error.message)
    await assert.rejects(deliver('process.exit(0)'), { message: 'the plugin ended its thread (process.exit)' })
    assert.equal(await other, 'the plugin ended its thread (process.exit)')
    await works()
    assert.equal(await deliver('setTimeout(process.exit, 20); return "done"'), 'done')
    // A call that comes while it has not yet happened ends with the thread.
    await eventually(async () => (await deliver('').catch(() => undefined)) === 'calls: 1')
    await works()
  })

  it('that needs memory without end has no more than its thread', async () => {
    const more = 'const all = []; for (;;) all.push({ number: String(all.length) })'
    await assert.rejects(deliver(more), { message: 'the plugin needs more memory than the 64 MiB that it may take' })
    await works()
  })

  it('that breaks the way its faults are told loses its thread, and no word of the fault gets about', async () => {
    const does =
      't.AsyncLocalStorage.prototype.getStore = () => undefined; setTimeout(() => { throw new RangeError("secret") }); await t.sleep(1e6)'
    await assert.rejects(deliver(does), { message: 'a fault outside of any call ended the thread of the plugin' })
    await assert.rejects(
      deliver(
        'process.removeAllListeners("uncaughtException"); setTimeout(() => { throw new RangeError("secret") }); await t.sleep(1e6)',
      ),
    )
    const lines = await eventually(() => faults.filter((line) => line.includes('RangeError')).length === 2 && faults)
    assert.doesNotMatch(lines.join(), /secret/)
    await works()
  })
})

describe('The thread of a plugin', () => {
  const directory = makeTempDirectory()
  const threads = createPluginThreads({ allow: [], limits: { ...WILD_LIMITS, idleTime: 100 } })
  const hasty = createPluginThreads({ allow: [], limits: { ...WILD_LIMITS, loadTime: 700 } })
  after(() => Promise.all([threads.close(), hasty.close()]))
  const put = (name: string, text: string): string => putPlugin(directory, name, text)

  it('ends with a module that never ends loading, or ends its process, and the fault is told', async () => {
    const faultOf = async (name: string, text: string, loading = hasty): Promise<string> => {
      const file = put(name, text)
      const fault = await loading.load(file).catch((error: Error) => error.message)
      assert.ok(typeof fault === 'string')
      return fault.slice(`plugin ${file}: `.length)
    }
    assert.deepEqual(
      await Promise.all([
        faultOf('loops.mjs', 'for (;;);'),
        faultOf('waits.mjs', 'await new Promise(() => setInterval(() => {}, 1000))'),
        faultOf('exits.mjs', 'process.exit(0)', threads),
      ]),
      [
        'it does not load: Error: not done within 0.7 s',
        'it does not load: Error: not done within 0.7 s',
        'it does not load: Error: the plugin ended its thread (process.exit)',
      ],
    )
  })

  it('that V8 does not let go of is given up all the same', async () => {
    const plugin = put('endless.mjs', WILD)
    const script = put(
      'server.ts',
      `import { createPluginThreads } from ${JSON.stringify(path.join(import.meta.dirname, '../../src/exports/plugin-threads/plugin-threads.ts'))}
      const limits = { validateTime: 200, aliveTime: 200 }
      const threads = createPluginThreads({ allow: [], onFault: console.log, limits })
      const { config } = await threads.load(${JSON.stringify(plugin)})
      const check = async (schema: string) => config['~standard'].validate({ schema })
      await check('for (;;) new Array(1000).fill(1)').catch((error: Error) => console.log(error.message))
      // A machine that is busy may not be so quick.
      await check('return { value: {} }').catch(() => undefined)
      setInterval(() => {}, 1000)`,
    )
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => (said += more))
    await eventually(() => said.includes('cannot be ended'))
    child.kill('SIGKILL')
    assert.match(said, /^it took longer than 0.2 s\nplugin .*endless\.mjs has a thread that cannot be ended/)
  })

  it('ends when nobody needs it, and begins with the next call', async () => {
    const plugin = await threads.load(put('idle.mjs', WILD))
    const file = await makeExportFile('a.csv', 1)
    const count = async () => (await plugin.deliver(file, {}, makeRunContext())).destinationPath
    assert.deepEqual(await Promise.all([count(), count()]), ['calls: 1', 'calls: 2'])
    await sleep(300)
    assert.equal(await count(), 'calls: 1')
  })

  it('that does not begin again fails each call once, and no more is tried', async () => {
    const starts = path.join(directory, 'starts')
    const dying = `import { appendFileSync } from 'node:fs'; appendFileSync('${starts}', '.')\n`
    const module = put('dying.mjs', dying + WILD)
    const plugin = await threads.load(module)
    const file = await makeExportFile('a.csv', 1)
    const fail = async (): Promise<string> =>
      plugin.deliver(file, {}, makeRunContext()).then(
        () => 'delivered',
        (error: Error) => error.message,
      )
    await sleep(300)
    put('dying.mjs', `${dying}process.exit(1)`)
    const gone =
      'the plugin could not be started again: it does not load: Error: the plugin ended its thread (process.exit)'
    assert.deepEqual(await Promise.all([fail(), fail()]), [gone, gone])
    assert.equal(readFileSync(starts, 'utf8'), '..')
    put('dying.mjs', dying + WILD.replace("'token'", "'other'"))
    assert.match(await fail(), /started again: it has another type, other secrets or other functions/)
    put('dying.mjs', dying + WILD)
    assert.equal(await fail(), 'delivered')
  })
})
