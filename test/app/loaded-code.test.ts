// What a server on SQLite loads of the code for PostgreSQL.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { NODE_FLAGS } from '../../scripts/build/node-flags.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const KEY = 'a-key-for-this-test-that-is-long-enough'
/** What says whose a location is, and what its faults mean. */
const NAMED_BY_ALL = ['location.ts', 'maintenance/database-faults.ts']

it('a server on SQLite, and its threads, load nothing that speaks to PostgreSQL', async () => {
  const directory = makeTempDirectory()
  const [list, hooks] = [path.join(directory, 'loaded.txt'), path.join(directory, 'hooks.mjs')]
  writeFileSync(
    hooks,
    `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context)) })`,
  )
  const server = spawn(
    process.execPath,
    [...NODE_FLAGS, '--import', hooks, 'src/main.ts', '--data-dir', path.join(directory, 'data'), '--port', '0'],
    {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', PIMLET_ADMIN_API_KEY: KEY, PIMLET_ADMIN_PASSWORD: 'for this test' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  try {
    const search = { method: 'POST', headers: { 'x-service-apikey': KEY, 'content-type': 'application/json' } }
    for await (const line of createInterface({ input: server.stdout })) {
      const url = /^pimlet listening on (http:\S+)$/.exec(line)?.[1]
      if (url === undefined) continue
      const found = await fetch(`${url}/api/v1/search`, {
        ...search,
        body: JSON.stringify({ criteria: [], criteriaOperator: 'and', text: 'anything' }),
      })
      assert.equal(found.status, 200, await found.text())
      break
    }
  } finally {
    server.kill()
    await once(server, 'exit')
  }
  const loaded = readFileSync(list, 'utf8').split('\n')
  const has = (part: string): string[] => loaded.filter((url) => url.includes(part))
  assert.notDeepEqual([has('src/store/sqlite/store.ts'), has('src/store/sqlite/readers/reader-thread.ts')], [[], []])
  const ofPostgres = has('/src/postgres/').filter((url) => !NAMED_BY_ALL.some((name) => url.endsWith(`/${name}`)))
  assert.deepEqual([...ofPostgres, ...has('/node_modules/pg')], [])
})
