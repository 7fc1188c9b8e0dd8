// A name that does not exist ends a command with status 2 and the nearest name, and nothing is written. Contract 3 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { english, make, makeShirt, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id: 'ctg-shoes', name: 'Shoes' })
  await make(shop.admin, '/api/v1/saved-queries', {
    id: 'sq-heavy',
    name: 'Heavy',
    criteria: [],
    criteriaOperator: 'and',
  })
  await make(shop.admin, '/api/v1/import-profiles', {
    id: 'prf-supplier',
    name: 'Supplier',
    schemaId: 'sch-shirt',
    mode: 'upsert',
    emptyCells: 'keep',
    columns: [{ header: 'id', to: { field: 'id' } }],
  })
  await makeShirt(shop.admin, { name: [english('one')] }, { id: 'one' })
})
after(() => shop.stop())

const run = (args: readonly string[], key = ADMIN_KEY) =>
  runCommand(args, { env: { PIMLET_URL: shop.url, PIMLET_API_KEY: key } })
const searchFor = (criterion: object, more: object = {}): string =>
  JSON.stringify({ criteria: [criterion], criteriaOperator: 'and', ...more })

describe('An empty value, as of a variable that is not set', { timeout: 600_000 }, () => {
  it('is refused by every flag that takes one, and the file stays as it was', async () => {
    const out = path.join(makeTempDirectory(), 'all.csv')
    writeFileSync(out, 'precious')
    for (const flag of ['schema', 'state', 'catalog', 'query', 'scope', 'out', 'api-key'])
      assertEnds(await run(['export', `--${flag}`, '', '--out', out, '--force']), 2, `--${flag}`, 'empty')
    assertEnds(await run(['export', '--schema=', '--out', out, '--force']), 2, '--schema', 'empty')
    assert.equal(readFileSync(out, 'utf8'), 'precious')
  })

  it('is refused by the other commands, and by their arguments', async () => {
    const file = path.join(makeTempDirectory(), 'a.csv')
    writeFileSync(file, 'id\none\n')
    const wrong: string[][] = [
      ['import', file, '--schema', ''],
      ['import', file, '--profile='],
      ['bulk', '--schema', 'sch-shirt', '--query', '', '--delete'],
      ['bulk', '--schema', 'sch-shirt', '--transition', ''],
      ['key', 'create', '--role', ''],
      ['doctor', '--data-dir', ''],
      ['undo', ''],
      ['import', ''],
    ]
    for (const args of wrong) assertEnds(await run(args), 2, 'empty')
  })

  it('is refused by pimlet undo for a job that does not exist', async () => {
    assertEnds(await run(['undo', 'bulk-none']), 2, "'bulk-none'")
  })
})

describe('A name that does not exist', { timeout: 600_000 }, () => {
  it('is refused by pimlet export, which leaves the file as it was', async () => {
    const out = path.join(makeTempDirectory(), 'all.csv')
    writeFileSync(out, 'precious')
    const wrong: [string[], unknown: string, nearest: string][] = [
      [['--schema', 'sch-shrit'], "'sch-shrit'", "'sch-shirt'"],
      [['--state', 'state-publised'], "'state-publised'", "'state-published'"],
      [['--catalog', 'cat-wed'], "'cat-wed'", "'cat-web'"],
      [['--query', 'sq-heavi'], "'sq-heavi'", "'sq-heavy'"],
      [
        ['--query', searchFor({ field: 'id', operator: 'isNotEmpty' }, { schemaId: 'sch-shrit' })],
        "'sch-shrit'",
        "'sch-shirt'",
      ],
      [
        ['--query', searchFor({ field: 'lifecycleStateId', operator: 'equals', value: 'state-draf' })],
        "'state-draf'",
        "'state-draft'",
      ],
      [
        [
          '--query',
          searchFor({ criteria: [{ field: 'catalogId', operator: 'in', value: ['cat-wed'] }], criteriaOperator: 'or' }),
        ],
        "'cat-wed'",
        "'cat-web'",
      ],
      [['--query', searchFor({ attributeAlias: 'nmae', operator: 'equals', value: 'one' })], "'nmae'", "'name'"],
      [
        ['--query', searchFor({ attributeAlias: 'name', operator: 'equals', value: 'one', scope: { langauge: 'de' } })],
        "'langauge'",
        "'language'",
      ],
      [['--scope', 'langauge=de'], "'langauge'", "'language'"],
      [['--scope', 'language=dee'], "'dee'", "'de'"],
    ]
    for (const [flags, unknown, nearest] of wrong) {
      assertEnds(await run(['export', '--out', out, '--force', ...flags]), 2, flags[0]!, unknown, nearest)
      assert.equal(readFileSync(out, 'utf8'), 'precious')
    }
  })

  it('is refused by pimlet bulk, which makes no job', async () => {
    const wrong: [string[], unknown: string, nearest: string][] = [
      [['--schema', 'sch-shrit', '--delete'], "'sch-shrit'", "'sch-shirt'"],
      [['--query', 'sq-heavi', '--delete'], "'sq-heavi'", "'sq-heavy'"],
      [['--query', 'sq-heavy', '--set', 'nane=x'], "'nane'", "'name'"],
      [['--query', 'sq-heavy', '--set', 'name[language=dee]=x'], "'dee'", "'de'"],
      [['--query', 'sq-heavy', '--clear', 'nane'], "'nane'", "'name'"],
      [['--query', 'sq-heavy', '--transition', 'tr-submitt'], "'tr-submitt'", "'tr-submit'"],
      [['--query', 'sq-heavy', '--categories', 'ctg-shoos'], "'ctg-shoos'", "'ctg-shoes'"],
      [['--query', 'sq-heavy', '--add-categories', 'ctg-shoes,ctg-shoos'], "'ctg-shoos'", "'ctg-shoes'"],
      [['--query', 'sq-heavy', '--remove-categories', 'ctg-shoos'], "'ctg-shoos'", "'ctg-shoes'"],
    ]
    for (const [flags, unknown, nearest] of wrong) assertEnds(await run(['bulk', ...flags]), 2, unknown, nearest)
    const jobs = await fetch(`${shop.url}/api/v1/bulk-jobs`, { headers: shop.admin.headers })
    assert.deepEqual(await jobs.json(), [])
  })

  it('is refused by pimlet import before the file is sent', async () => {
    const file = path.join(makeTempDirectory(), 'shirts.csv')
    writeFileSync(file, 'id,name[language=en]\r\ntwo,Two\r\n')
    const wrong: [string[], unknown: string, nearest: string][] = [
      [['--schema', 'sch-shrit'], "'sch-shrit'", "'sch-shirt'"],
      [['--profile', 'prf-suplier'], "'prf-suplier'", "'prf-supplier'"],
      [['--schema', 'sch-shirt', '--match-by', 'nane', '--mode', 'upsert'], "'nane'", "'name'"],
    ]
    for (const [flags, unknown, nearest] of wrong)
      assertEnds(await run(['import', file, ...flags]), 2, unknown, nearest)
  })

  it('is refused by pimlet key create', async () => {
    assertEnds(
      await run(['key', 'create', '--name', 'x', '--role', 'role-viever', '--url', shop.url]),
      2,
      'role-viewer',
    )
  })

  it('is told with the known names where none is near', async () => {
    assertEnds(
      await run(['export', '--schema', 'zzzzzzzzzz', '--format', 'csv']),
      2,
      "'zzzzzzzzzz'",
      'sch-plain',
      'sch-shirt',
    )
  })

  it('is left to the server where the role may not read the model', async () => {
    const role = {
      id: 'role-writer',
      name: 'Writer',
      permissions: ['records.create'],
      defaultAttributePermission: 'write',
    }
    await make(shop.admin, '/api/v1/roles', { ...role, attributePermissions: {} })
    const { key } = await make<{ key: string }>(shop.admin, '/api/v1/api-keys', {
      name: 'writer',
      roleId: 'role-writer',
    })
    const file = path.join(makeTempDirectory(), 'shirts.csv')
    writeFileSync(file, 'id,name[language=en]\r\nthree,Three\r\n')
    const { status, stderr } = await run(['import', file, '--schema', 'sch-shirt'], key)
    assert.equal(status, 0, stderr)
  })
})
