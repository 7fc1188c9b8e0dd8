// The HTTP suites, as they are, on PostgreSQL, and on two servers that are asked in turn: some of them, since `npm run test:postgres`
// and `npm run test:cluster` run all; and the storage contract on the newest version.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Place, runTogether } from '../../scripts/tests/run-together.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

interface Suite extends Place {
  readonly title: string
  readonly postgres: string
  readonly files: readonly string[]
}

const routes = (folder: string, ...names: string[]): string[] =>
  names.map((name) => `test/http/routes/${folder}/${name}.test.ts`)

const SUITES: readonly Suite[] = [
  {
    title: 'hold on PostgreSQL 15',
    postgres: '15',
    files: [...routes('records', 'search'), ...routes('model', 'dimensions')],
  },
  {
    title: 'hold on PostgreSQL 18, and so does the storage contract',
    postgres: '18',
    files: ['test/storage/postgres/store.test.ts', ...routes('records', 'lifecycle'), ...routes('model', 'categories')],
  },
  {
    title: 'hold on two servers in turn',
    postgres: '18',
    servers: 2,
    files: [
      ...routes('accounts', 'api-keys'),
      ...routes('model', 'workflows'),
      ...routes('records', 'record-versions'),
    ],
  },
]

describe('The HTTP suites', () => {
  for (const { title, files, ...place } of SUITES)
    it(title, { skip: withoutPostgres(place.postgres) }, async () => {
      const { isGreen, output } = await runTogether(files, place)
      assert.ok(isGreen, output.slice(output.indexOf('failing tests')))
    })
})
