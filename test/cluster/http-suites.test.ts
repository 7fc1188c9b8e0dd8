// Some HTTP suites, as they are, on PostgreSQL, and on two servers that are asked in turn. `npm run test:all` runs all of them.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, it } from 'node:test'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const SUITE = path.resolve(import.meta.dirname, '../../scripts/suite.ts')

interface Suite {
  readonly title: string
  readonly postgres: string
  readonly servers?: string
  readonly files: readonly string[]
}

const routes = (room: string, ...names: string[]): string[] =>
  names.map((name) => `test/core/${room}/routes/${name}.test.ts`)

const SUITES: readonly Suite[] = [
  {
    title: 'hold on PostgreSQL 15',
    postgres: '15',
    files: [...routes('search', 'search'), ...routes('model', 'dimension-routes')],
  },
  {
    title: 'hold on PostgreSQL 18',
    postgres: '18',
    files: [...routes('records', 'lifecycle'), ...routes('model', 'category-routes')],
  },
  {
    title: 'hold on two servers in turn',
    postgres: '18',
    servers: '2',
    files: [
      ...routes('accounts', 'api-key-routes'),
      ...routes('model', 'workflow-routes'),
      ...routes('records', 'record-versions'),
    ],
  },
]

describe('The HTTP suites', () => {
  for (const { title, files, postgres, servers = '1' } of SUITES)
    it(title, { skip: withoutPostgres(postgres) }, () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [SUITE, '--postgres', postgres, '--servers', servers, '--processes', '1', ...files],
        { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      )
      assert.match(stdout, /^ℹ pass [1-9]/m)
      assert.equal(status, 0, stdout.slice(stdout.indexOf('failing tests')) + stderr)
    })
})
