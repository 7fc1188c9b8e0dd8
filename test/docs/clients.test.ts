// docs/clients.md: both generators make a client of this server's document, in which the bodies of the README compile as
// short as they are, and which works against the server. The generators are installed apart: openapi-typescript needs
// TypeScript 5, this project has another.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { makeOpenApi } from '../../src/docs-host/documentation.ts'
import { ADMIN_KEY, startServer, type TestServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const PROGRAMS = path.join(ROOT, 'test/clients')
const INSTALLED = path.join(PROGRAMS, 'node_modules')
const isInstalled = existsSync(path.join(INSTALLED, 'openapi-typescript/package.json'))
const skip = isInstalled ? false : 'the generators of clients are not installed: npm run install:clients'
const page = readFileSync(path.join(ROOT, 'docs/clients.md'), 'utf8')

describe('docs/clients.md', () => {
  /** The blocks that begin with ```` ```<language> ````. */
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text!)

  it('names the versions that are tested', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(PROGRAMS, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
      devDependencies: Record<string, string>
    }
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      if (name !== 'typescript') assert.ok(page.includes(`${name}@${version}`), `${name}@${version}`)
  })

  it('shows each generator in some ten lines', () => {
    assert.equal(blocks('ts').length, 2)
    for (const block of blocks('ts')) assert.ok(block.split('\n').length <= 14, block)
  })

  describe('The clients', { skip }, () => {
    const directory = makeTempDirectory()
    let server: TestServer
    before(async () => {
      for (const name of [
        'checks.ts',
        'with-hey-api.ts',
        'with-openapi-typescript.ts',
        'tsconfig.json',
        'package.json',
      ])
        cpSync(path.join(PROGRAMS, name), path.join(directory, name))
      symlinkSync(INSTALLED, path.join(directory, 'node_modules'))
      writeFileSync(path.join(directory, 'pimlet.json'), JSON.stringify(await makeOpenApi()))
      for (const [index, block] of blocks('ts').entries())
        writeFileSync(path.join(directory, `page-${index}.ts`), `${block}\nexport {}\n`)
      await Promise.all([
        run('node_modules/openapi-typescript/bin/cli.js', 'pimlet.json', '--output', 'pimlet.d.ts'),
        run('node_modules/@hey-api/openapi-ts/bin/run.js', '--input', 'pimlet.json', '--output', 'pimlet'),
      ])
      server = await startServer()
    })
    after(() => server?.stop())

    const run = (script: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, [script, ...args], {
        cwd: directory,
        env: { PATH: process.env['PATH'], PIMLET_URL: server?.url, PIMLET_API_KEY: ADMIN_KEY },
      })

    it('compile, strictly, with what the page shows', async () => {
      await run(path.join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', '.').catch(
        (error: { stdout?: string }) => assert.fail(error.stdout),
      )
    })

    it('of openapi-typescript works', async () => {
      await run('made/with-openapi-typescript.js')
    })

    it('of @hey-api/openapi-ts works', async () => {
      await server.stop()
      server = await startServer()
      await run('made/with-hey-api.js')
    })
  })
})
