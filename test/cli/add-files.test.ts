// `pimlet files add`: files, directories and zips that go to the records of their names. Contract 4 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { part, zipOf } from '../helpers/zip-file.ts'
import { makeProductSchemas } from '../helpers/zip-imports.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await makeProductSchemas(shop.admin)
})
after(() => shop.stop())

const run = (args: string[]) =>
  runCommand(['files', 'add', ...args], { env: { PIMLET_URL: shop.url, PIMLET_API_KEY: ADMIN_KEY } })
const MAPPED = ['--schema', 'sch-product', '--match', 'sku', '--attribute', 'pictures']

let made = 0
async function product(): Promise<{ id: string; sku: string }> {
  made += 1
  const sku = `C${made}`
  const body = { schemaId: 'sch-product', values: { sku: everywhere(sku) } }
  return { ...(await make<{ id: string }>(shop.admin, '/api/v1/records', body)), sku }
}
const countOf = async (id: string) =>
  ((await readRecord(shop.admin, id)).values['pictures']?.[0]?.value as string[] | undefined)?.length ?? 0

function directoryOf(...names: string[]): string {
  const directory = makeTempDirectory()
  for (const name of names) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
    writeFileSync(path.join(directory, name), name)
  }
  return directory
}

describe('pimlet files add', () => {
  it('gives the files of a directory to their records, and tells what it did', async () => {
    const { id, sku } = await product()
    const directory = directoryOf(`${sku}-1.jpg`, `deep/er/${sku}-2.jpg`, '.hidden/x-1.jpg', '.DS_Store')
    const dry = await run([directory, ...MAPPED, '--dry-run'])
    assert.equal(dry.status, 0, dry.stderr)
    assert.equal(dry.stdout, 'dry run, nothing is written: updated 2, unchanged 0, failed 0, new pictures 2\n')
    assert.equal(dry.stderr, `${sku}-1.jpg: place 1 of ${id}\ndeep/er/${sku}-2.jpg: place 2 of ${id}\n`)
    assert.equal(await countOf(id), 0)
    const done = await run([directory, ...MAPPED])
    assert.deepEqual(
      [done.status, done.stdout, done.stderr],
      [0, 'updated 2, unchanged 0, failed 0, new pictures 2\n', ''],
    )
    assert.equal(await countOf(id), 2)
    const again = await run([directory, ...MAPPED, '--mode', 'replace'])
    assert.equal(again.stdout, 'updated 0, unchanged 2, failed 0, new pictures 0\n')
    assert.deepEqual((await send(shop.admin, 'GET', '/api/v1/imports')).body, [])
  })

  it('takes files, and a zip as it is', async () => {
    const { id, sku } = await product()
    const directory = directoryOf(`a/${sku}-1.jpg`, `b/${sku}-2.jpg`)
    const files = [path.join(directory, `a/${sku}-1.jpg`), path.join(directory, 'b')]
    assert.equal((await run([...files, ...MAPPED])).stdout, 'updated 2, unchanged 0, failed 0, new pictures 2\n')
    const zip = path.join(directory, 'x.zip')
    writeFileSync(zip, zipOf(part(`${sku}-3.jpg`)))
    assert.equal((await run([zip, ...MAPPED])).stdout, 'updated 1, unchanged 0, failed 0, new pictures 1\n')
    assert.equal(await countOf(id), 3)
  })

  it('lists what failed, keeps all of it with --failed, and ends with 1', async () => {
    const { sku } = await product()
    const directory = directoryOf(`${sku}-1.jpg`, 'nobody-1.jpg', 'strange.jpg')
    const failed = path.join(makeTempDirectory(), 'failed.csv')
    const told = await run([directory, ...MAPPED, '--failed', failed])
    assert.deepEqual([told.status, told.stdout], [1, 'updated 1, unchanged 0, failed 2, new pictures 1\n'])
    assert.match(told.stderr, /^nobody-1\.jpg: NOT_FOUND: Record with the sku 'nobody' does not exist$/m)
    assert.match(told.stderr, /^strange\.jpg: VALIDATION_ERROR: The name does not match the pattern/m)
    assert.match(told.stderr, /^pimlet: 2 of 3 files failed: .*failed\.csv has them$/m)
    assert.match(readFileSync(failed, 'utf8'), /^file,error,message\r\nnobody-1\.jpg,NOT_FOUND,.*\r\nstrange\.jpg,/)
    const { sku: other } = await product()
    const fine = await run([directoryOf(`${other}-1.jpg`), ...MAPPED, '--failed', failed, '--force'])
    assert.deepEqual([fine.status, existsSync(failed)], [0, false])
  })

  it('takes a pattern, a schema of pictures, and an attribute of a file', async () => {
    const { id, sku } = await product()
    const directory = directoryOf(`${sku}.pdf`)
    const manual = [
      '--schema',
      'sch-product',
      '--match',
      'id',
      '--attribute',
      'others',
      '--picture-schema',
      'sch-photo',
    ]
    const told = await run([directoryOf(`${id}.pdf`), ...manual, '--pattern', '^(?<key>.+)\\.pdf$'])
    assert.equal(told.stdout, 'updated 1, unchanged 0, failed 0, new pictures 1\n', told.stderr)
    const file = ['--schema', 'sch-product', '--match', 'sku', '--attribute', 'manual']
    const second = await run([directory, ...file, '--pattern', '^(?<key>.+)\\.pdf$'])
    assert.equal(second.stdout, 'updated 1, unchanged 0, failed 0, new pictures 0\n', second.stderr)
  })

  it('refuses wrong usage in one line, before anything is sent', async () => {
    const directory = directoryOf('A-1.jpg')
    assertEnds(await run([directory, '--match', 'sku', '--attribute', 'pictures']), 2, '--schema is required')
    assertEnds(await run([directory, ...MAPPED.slice(0, 4)]), 2, '--attribute is required')
    assertEnds(await run([directory, ...MAPPED, '--mode', 'add']), 2, '--mode must be one of append, replace')
    assertEnds(await run([directory, ...MAPPED.with(1, 'sch-prodct')]), 2, "did you mean 'sch-product'")
    assertEnds(await run([directory, ...MAPPED.with(3, 'skuu')]), 2, '--match', "did you mean 'sku'")
    assertEnds(await run([directory, ...MAPPED.with(5, 'picture')]), 2, '--attribute', "did you mean 'pictures'")
    assertEnds(await run([path.join(directory, 'none'), ...MAPPED]), 1, 'there is no such file')
    assertEnds(await run([makeTempDirectory(), ...MAPPED]), 1, 'There are no files')
    assertEnds(await run([directory, 'x.zip', ...MAPPED]), 2, 'name one zip alone')
    assertEnds(await run([path.join(directory, 'A-1.jpg'), directory, ...MAPPED]), 2, 'have the same name')
    assertEnds(await run([directory, ...MAPPED, '--pattern', '(.*)']), 1, 'pattern must have the group key')
    assertEnds(await run(MAPPED), 2, '<files>')
  })
})
