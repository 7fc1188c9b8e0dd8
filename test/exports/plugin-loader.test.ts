// Destinations from a directory: what is loaded, and what stops the start, with which words.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { findFault } from '../../src/exports/destinations/conformance.ts'
import type { Destination } from '../../src/kernel/destination.ts'
import { loadPlugins } from '../../src/exports/destinations/plugin-loader.ts'
import { createPluginThreads, type PluginThreads } from '../../src/exports/plugin-threads/plugin-threads.ts'
import { builtInDestinations } from '../../plugins/index.ts'
import { bundleCode } from '../../scripts/build/bundle.ts'
import { makeExportFile } from '../helpers/export-file.ts'
import { makeRunContext } from '../helpers/run-context.ts'

const run = promisify(execFile)
const SCHEMA = `{ '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }`
const posix = process.platform === 'win32' ? 'file modes are a matter of POSIX' : false

function builtInOf(type: string): Destination {
  const config: Destination['config'] = {
    '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
  }
  return { type, config, deliver: () => Promise.resolve({ destinationPath: type }) }
}

function source(type: string, rest = ''): string {
  return `{ type: '${type}', config: ${SCHEMA}, async deliver() { return { destinationPath: '${type}' } }, ${rest} }`
}

describe('the plugins directory', () => {
  let dir = ''
  let threads: PluginThreads
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'pimlet-plugins-'))
    await chmod(dir, 0o755)
    threads = createPluginThreads({ allow: ['127.0.0.1'] })
  })
  afterEach(async () => {
    await threads.close()
    await rm(dir, { recursive: true, force: true })
  })
  const load = (where: string, builtIn: readonly Destination[] = []): Promise<Map<string, Destination>> =>
    loadPlugins(where, builtIn, threads)

  const put = (name: string, text: string): Promise<void> => writeFile(join(dir, name), text, { mode: 0o644 })

  async function faultOf(name: string, text: string): Promise<string> {
    await put(name, text)
    try {
      await load(dir)
    } catch (error) {
      assert.ok(error instanceof Error)
      assert.ok(error.message.startsWith(`plugin ${join(dir, name)}: `), error.message)
      return error.message.slice(`plugin ${join(dir, name)}: `.length)
    }
    throw new assert.AssertionError({ message: `${name} was loaded` })
  }

  it('may be missing or empty', async () => {
    assert.equal((await load(join(dir, 'none'))).size, 0)
    assert.equal((await load(dir)).size, 0)
  })

  it('may hold ES, CommonJS and TypeScript modules', async () => {
    await put('a.mjs', `export default ${source('esm')}`)
    await put('b.cjs', `module.exports = ${source('common')}`)
    await put('c.js', `module.exports = ${source('plain')}`)
    await put('d.ts', `const type: string = 'typed'; export default ${source('typed')}`)
    await put(
      'e.cjs',
      `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = ${source('compiled')}`,
    )
    await put(
      'f.mjs',
      `const config = Object.assign(() => 1, ${SCHEMA}); export default { ...${source('arktype')}, config }`,
    )
    const loaded = await load(dir)
    assert.deepEqual([...loaded.keys()], ['esm', 'common', 'plain', 'typed', 'compiled', 'arktype'])
    const file = await makeExportFile('a.csv', 1)
    for (const [type, destination] of loaded) {
      const delivery = await destination.deliver(file, {}, makeRunContext())
      if (type !== 'arktype') assert.equal(delivery.destinationPath, type)
    }
  })

  it('takes the sample in its own word', async () => {
    await copyFile(join(import.meta.dirname, '../plugins/sample/file.mjs'), join(dir, 'file.mjs'))
    const loaded = await load(dir)
    assert.deepEqual([...loaded.keys()], ['file'])
  })

  it('is no place for anything but modules', async () => {
    for (const name of ['README.md', 'types.d.ts', '.hidden.mjs', 'package.json', 'x.mjs.bak'])
      await put(name, 'no { module')
    await mkdir(join(dir, 'folder'))
    assert.equal((await load(dir)).size, 0)
  })

  it('takes the example with which the documentation begins, and the example delivers', async () => {
    const readme = await readFile(join(import.meta.dirname, '../../plugins/README.md'), 'utf8')
    await put('http-put.mjs', /```js\n([^]*?)```/.exec(readme)?.[1] ?? '')
    const example = (await load(dir)).get('http-put')
    assert.ok(example)
    const received: [string | undefined, string | undefined, Buffer][] = []
    async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
      received.push([request.url, request.headers.authorization, await buffer(request)])
      response.writeHead(request.url?.includes('no') ? 403 : 201).end()
    }
    const server = createServer((request, response) => void receive(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const folder = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in/`
    const { value } = (await example.config['~standard'].validate({ folder, token: 't' })) as { value: unknown }
    const file = await makeExportFile('größe.csv', 200_000)
    const { destinationPath } = await example.deliver(file, value, makeRunContext())
    assert.equal(destinationPath, `${folder}gr%C3%B6%C3%9Fe.csv`)
    assert.deepEqual(received, [['/in/gr%C3%B6%C3%9Fe.csv', 'Bearer t', await file.bytes()]])
    const refused = example.deliver(await makeExportFile('no.csv', 10), value, makeRunContext())
    await assert.rejects(refused, { permanent: true, message: 'the server answered 403' })
    server.close()
    await assert.rejects(example.deliver(file, value, makeRunContext()), { code: 'ECONNREFUSED' })
    const { issues } = await example.config['~standard'].validate({ folder: 'x' })
    assert.equal(issues?.[0]?.message, 'must be a URL')
  })

  it('adds to the built-in destinations', async () => {
    const builtIn = builtInDestinations.map(({ type }) => type)
    await put('b.mjs', `export default ${source('second')}`)
    assert.deepEqual([...(await load(dir, builtInDestinations)).keys()], [...builtIn, 'second'])
  })

  it('may not hold a type twice, nor that of a built-in destination', async () => {
    const builtIn = [builtInOf('webhook')]
    await put('b.mjs', `export default ${source('twice')}`)
    await put('c.mjs', `export default ${source('twice')}`)
    const twice = { message: `plugin ${join(dir, 'c.mjs')}: its type "twice" is already that of ${join(dir, 'b.mjs')}` }
    await assert.rejects(load(dir), twice)
    await put('a.mjs', `export default ${source('webhook')}`)
    const taken = {
      message: `plugin ${join(dir, 'a.mjs')}: its type "webhook" is already that of a built-in destination`,
    }
    await assert.rejects(load(dir, builtIn), taken)
  })

  it('stops the start with a module that does not load', async () => {
    assert.match(await faultOf('syntax.mjs', 'export default {'), /^it does not load: SyntaxError: /)
    await rm(join(dir, 'syntax.mjs'))
    assert.match(await faultOf('throws.cjs', `throw new TypeError('no luck')`), /^it does not load: TypeError: no luck/)
    await rm(join(dir, 'throws.cjs'))
    assert.match(await faultOf('missing.mjs', `import 'not-installed'`), /^it does not load: .*not-installed/)
    await rm(join(dir, 'missing.mjs'))
    await mkdir(join(dir, 'folder.mjs'))
    await assert.rejects(load(dir), { message: `plugin ${join(dir, 'folder.mjs')}: it is not a file` })
    await rm(join(dir, 'folder.mjs'), { recursive: true })
    await symlink(join(dir, 'nowhere'), join(dir, 'link.mjs'))
    await assert.rejects(load(dir), { message: /link\.mjs: it cannot be read: Error: ENOENT/ })
  })

  it('stops the start with a module that does not conform', async () => {
    const faults: Record<string, RegExp> = {
      'export const destination = 1': /default export is not a destination object/,
      'export default 5': /default export is not a destination object/,
      'export default null': /default export is not a destination object/,
      'export default {}': /^"type" must be/,
      [`export default ${source('Upper')}`]: /^"type" must be/,
      [`export default ${source('a/b')}`]: /^"type" must be/,
      [`export default ${source('a'.repeat(65))}`]: /^"type" must be/,
      [`export default ${source('x', 'config: undefined')}`]: /^"config" must be a Standard Schema/,
      [`export default ${source('x', `config: { '~standard': { version: 2, validate() {} } }`)}`]: /^"config" must be/,
      [`export default ${source('x', `config: { '~standard': { version: 1 } }`)}`]: /^"config" must be/,
      [`export default ${source('x', 'deliver: 1')}`]: /^"deliver" must be a function/,
      [`export default ${source('x', 'check: {}')}`]: /^"check" must be a function/,
      [`export default ${source('x', `sweep: 'yes'`)}`]: /^"sweep" must be a function/,
      [`export default ${source('x', `secrets: 'password'`)}`]: /^"secrets" must be an array/,
      [`export default ${source('x', 'secrets: [1]')}`]: /^"secrets" must be an array/,
      [`export default ${source('x', `secrets: ['a.b']`)}`]: /^"secrets" must be an array/,
      [`export default ${source('x', 'place: {}')}`]: /^"place" must be a function/,
      [`export default ${source('x', `keys: 'url'`)}`]: /^"keys" must be an array/,
      [`export default ${source('x', 'keys: [1]')}`]: /^"keys" must be an array/,
      [`export default ${source('x', `keys: ['url'], secrets: ['headers.*']`)}`]: /^"keys" .* secret "headers\.\*"/,
    }
    for (const [text, fault] of Object.entries(faults)) {
      const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { default?: unknown }
      assert.match(findFault(module.default) ?? '', fault, text)
    }
    const told = await faultOf('fault.mjs', 'export default {}')
    assert.match(told, /^"type" must be/)
  })

  it('is refused when other users may write it', { skip: posix }, async () => {
    await put('a.mjs', `export default ${source('x')}`)
    await chmod(join(dir, 'a.mjs'), 0o666)
    await assert.rejects(load(dir), { message: /a\.mjs: it may be written by every user/ })
    await chmod(join(dir, 'a.mjs'), 0o644)
    await chmod(dir, 0o777)
    await assert.rejects(load(dir), { message: /^plugins directory .* may be written by every user/ })
    await chmod(dir, 0o755)
    assert.equal((await load(dir)).size, 1)
  })

  it('must be a directory', async () => {
    await put('a.mjs', '')
    await assert.rejects(load(join(dir, 'a.mjs')), {
      message: /^plugins directory .* cannot be read: not a directory$/,
    })
  })

  it('is read by a bundled CommonJS server as well, and keeps no process from ending', async () => {
    await put('a.mjs', `setInterval(() => {}, 1000); export default ${source('esm')}`)
    await put('b.cjs', `module.exports = ${source('common')}`)
    await put('c.ts', `const type: string = 'typed'; export default ${source('typed')}`)
    const from = (name: string): string => JSON.stringify(join(import.meta.dirname, '../../src/exports', name))
    await mkdir(join(dir, 'lib'))
    await put(
      'lib/server.ts',
      `import { loadPlugins } from ${from('destinations/plugin-loader.ts')}
      import { createPluginThreads } from ${from('plugin-threads/plugin-threads.ts')}
      loadPlugins(process.argv[2]!, [], createPluginThreads({ allow: [] }))
        .then((loaded) => process.stdout.write([...loaded.keys()].join()))`,
    )
    const thread = join(import.meta.dirname, '../../src/thread.ts')
    await bundleCode(join(dir, 'bundled'), { server: join(dir, 'lib/server.ts'), thread })
    const bundle = join(dir, 'bundled', 'server.cjs')
    const { stdout } = await run(process.execPath, [bundle, dir], { timeout: 600_000 })
    assert.equal(stdout, 'esm,common,typed')
  })
})
