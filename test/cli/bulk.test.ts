// `pimlet bulk` and `pimlet undo`: changing many records, and taking that back. Contract 3 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { english, everywhere, german, make, makeShirt, readRecord, startWorkspace } from '../helpers/shirts.ts'
import type { Workspace } from '../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id: 'ctg-a', name: 'A' })
  for (const [id, weight] of Object.entries({ one: 1, two: 2, three: 3 }))
    await makeShirt(shop.admin, { weight: everywhere(weight), name: [english(id)] }, { id })
})
after(() => shop.stop())

const run = (...args: string[]) => runCommand(args, { env: { PIMLET_URL: shop.url, PIMLET_API_KEY: ADMIN_KEY } })
const heavy = JSON.stringify({
  criteria: [{ attributeAlias: 'weight', operator: 'gt', value: '1' }],
  criteriaOperator: 'and',
})
const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values

describe('pimlet bulk', { timeout: 600_000 }, () => {
  it('changes the matches of a search, and pimlet undo takes it back', async () => {
    const flags = [
      '--set',
      'name[language=de]=7',
      '--set',
      'weight=7',
      '--set',
      'name[language=en]=',
      '--transition',
      'tr-submit',
    ]
    const dry = await run('bulk', '--query', heavy, ...flags, '--dry-run')
    assert.equal(dry.status, 0, dry.stderr)
    assert.match(dry.stdout, /^bulk-\w+: dry run, nothing is written: changed 2, unchanged 0, failed 0\n$/)
    const original = await valuesOf('two')
    const done = await run('bulk', '--query', heavy, '--schema', 'sch-shirt', ...flags, '--add-categories', 'ctg-a')
    assert.equal(done.status, 0, done.stderr)
    const [, id] = /^(bulk-\w+): changed 2, unchanged 0, failed 0\n$/.exec(done.stdout)!
    assert.deepEqual(await valuesOf('two'), { weight: everywhere(7), name: [german('7')] })
    assert.equal((await readRecord(shop.admin, 'three')).lifecycleStateId, 'state-review')
    assert.deepEqual((await valuesOf('one'))['weight'], everywhere(1))
    const undone = await run('undo', id!)
    assert.equal(undone.status, 0, undone.stderr)
    assert.match(undone.stdout, /: changed 2, unchanged 0, failed 0\n$/)
    assert.deepEqual(await valuesOf('two'), original)
    assertEnds(await run('undo', id!), 1, '409', id!)
  })

  it('adds and removes references, in one scope or in all', async () => {
    const attributes = [{ alias: 'pictures', dataType: 'references' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-album', name: 'Album', attributes })
    await make(shop.admin, '/api/v1/records', { id: 'album', schemaId: 'sch-album', values: {} })
    const bulk = (...flags: string[]) => run('bulk', '--schema', 'sch-album', ...flags)
    assert.equal((await bulk('--add-references', 'pictures=one,two,album')).status, 0)
    assert.equal((await bulk('--remove-references', 'pictures=two')).status, 0)
    assert.deepEqual(await valuesOf('album'), { pictures: everywhere(['one', 'album']) })
    assertEnds(await bulk('--add-references', 'pictures='), 2, '--add-references', 'names no record')
    assertEnds(await bulk('--add-references', 'picture=one'), 2, '--add-references', "'pictures'")
    assertEnds(await bulk('--remove-references', 'pictures'), 2, "--remove-references 'pictures' is not of the form")
  })

  it('takes a saved query, and lists what failed', async () => {
    const query = { id: 'sq-heavy', name: 'Heavy', ...(JSON.parse(heavy) as object) }
    await make(shop.admin, '/api/v1/saved-queries', query)
    const { status, stdout, stderr } = await run('bulk', '--query', 'sq-heavy', '--transition', 'tr-publish')
    assert.equal(status, 1)
    assert.match(stdout, /: changed 0, unchanged 0, failed 2\n$/)
    assert.match(stderr, /^two: TRANSITION_ERROR: .*\nthree: TRANSITION_ERROR: .*\npimlet: 2 of 2 records failed\n$/)
    assertEnds(await run('bulk', '--query', 'sq-none', '--transition', 'tr-submit'), 2, 'sq-none')
  })

  it('refuses what it cannot mean', async () => {
    const wrong: [string[], ...string[]][] = [
      [['--set', 'weight=1'], '--query or --schema'],
      [['--schema', 'sch-shirt'], '--set'],
      [['--schema', 'sch-shirt', '--set', 'weight'], "'weight'"],
      [['--schema', 'sch-shirt', '--set', 'weight=heavy'], 'heavy', 'JSON'],
      [['--schema', 'sch-shirt', '--set', 'wait=1'], "'wait'"],
      [['--query', '{', '--delete'], '--query'],
    ]
    for (const [args, ...named] of wrong) assertEnds(await run('bulk', ...args), 2, ...named)
  })
})
