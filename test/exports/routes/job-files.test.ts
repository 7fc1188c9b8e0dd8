// Files that go with the feed of a job, such as pictures. Contract 4 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { assertErrorBody, send } from '../../helpers/answers.ts'
import { untilEnded } from '../../helpers/bulk-jobs.ts'
import {
  getJob,
  type JobBody,
  jobFor,
  litterIn,
  makeJob,
  type RunBody,
  trigger,
  whenEnded,
} from '../../helpers/export-jobs.ts'
import { hashOf, uploaded } from '../../helpers/files.ts'
import { readZip } from '../../helpers/read-zip.ts'
import { eventually, installPuppet, type Puppet } from '../../helpers/puppet.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const JOBS = '/api/v1/export-jobs'
const BASE = 'https://shop.example.com/pictures/'

/** A plugin that does not do what it should with several files. */
const SLOPPY = `
export default {
  type: 'sloppy',
  config: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
  deliver: async () => ({ destinationPath: 'nowhere' }),
  async deliverAll(files, { does }, context) {
    for await (const file of files) {
      if (does === 'takes one') { await context.delivered(file); return }
      if (does === 'confirms twice') { await context.delivered(file); await context.delivered(file) }
    }
  },
}
`

let shop: Workspace
let puppet: Puppet
let dataDir = ''
let out = ''
before(async () => {
  dataDir = makeTempDirectory()
  out = path.join(dataDir, 'out')
  mkdirSync(out)
  puppet = installPuppet(`${dataDir}/plugins`)
  copyFileSync(path.join(import.meta.dirname, '../../plugins/sample/file.mjs'), `${dataDir}/plugins/file.mjs`)
  writeFileSync(`${dataDir}/plugins/sloppy.mjs`, SLOPPY, { mode: 0o644 })
  shop = await startWorkspace({ dataDir })
  const { admin } = shop
  await make(admin, '/api/v1/schemas', {
    id: 'sch-picture',
    name: 'Picture',
    imageAttribute: 'content',
    attributes: [
      { alias: 'content', dataType: 'file' },
      { alias: 'focus', dataType: 'json' },
    ],
  })
  await make(admin, '/api/v1/schemas', {
    id: 'sch-tea',
    name: 'Tea',
    attributes: [
      { alias: 'sku', dataType: 'text' },
      { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-picture' } },
      { alias: 'sheet', dataType: 'file' },
    ],
  })
})
after(() => shop.stop())

let count = 0
const png = (background: string, size = 60 + (count += 1)) =>
  sharp({ create: { width: size, height: 40, channels: 3, background } })
    .png()
    .toBuffer()

async function makePicture(id: string, bytes: Uint8Array | string, fileName = `${id}.png`): Promise<void> {
  const values = { content: everywhere(await uploaded(shop.admin, bytes, fileName)) }
  await make(shop.admin, '/api/v1/records', { id, schemaId: 'sch-picture', values })
}

async function makeTea(sku: string, pictures: string[], more: object = {}): Promise<string> {
  const values = { sku: everywhere(sku), ...(pictures.length > 0 ? { pictures: everywhere(pictures) } : {}), ...more }
  return (await make<{ id: string }>(shop.admin, '/api/v1/records', { schemaId: 'sch-tea', values })).id
}

/** A job with the records whose SKU begins with a text. */
function bodyFor(destination: object, prefix: string, files: object, more: object = {}) {
  const criteria = [{ attributeAlias: 'sku', operator: 'startsWith', value: prefix }]
  const url = { attributeAlias: 'pictures', via: 'content', part: 'url', preset: 'square' }
  return {
    ...jobFor(puppet, 'deliver'),
    ...destination,
    schemaId: 'sch-tea',
    selection: { criteria, criteriaOperator: 'and' },
    format: 'jsonl',
    filenameTemplate: `${prefix}.jsonl`,
    columns: [
      { header: 'sku', attributeAlias: 'sku' },
      { header: 'links', ...url },
      { header: 'first', ...url, index: 1 },
    ],
    files: {
      attributes: ['pictures'],
      preset: 'square',
      name: '{sku}-{n}.{ext}',
      as: 'beside',
      publicBase: BASE,
      ...files,
    },
    ...more,
  }
}

interface FilesRun extends RunBody {
  readonly files: {
    sent: number
    unchanged: number
    failed: number
    errors: { recordId: string; n: number; message: string }[]
  } | null
}

async function run(jobId: string): Promise<FilesRun> {
  return (await whenEnded(shop.admin, await trigger(shop.admin, jobId))) as FilesRun
}

const roads = {
  'by one call of deliverAll': {
    destination: () => ({ destinationType: 'file', destinationConfig: { directory: out } }),
    read: (name: string) => readFileSync(path.join(out, name)),
    names: (prefix: string) => readdirSync(out).filter((name) => name.startsWith(prefix)),
  },
  'by a plugin that has only deliver': {
    destination: () => ({}),
    read: (name: string) => puppet.read(name),
    names: (prefix: string) => puppet.files().filter((name) => name.startsWith(prefix)),
  },
}

for (const [road, { destination, read, names }] of Object.entries(roads)) {
  const initial = road.includes('deliverAll') ? 'A' : 'B'
  const feedOf = (prefix: string) =>
    read(`${prefix}.jsonl`)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { sku: string; links: string[] | null; first: string | null })

  describe(`Files beside the feed, ${road},`, () => {
    it('come before the feed, which names them, and later runs send only what changed', async () => {
      const sku = `${initial}one`
      for (const id of ['red', 'blue', 'green']) await makePicture(`${sku}-${id}`, await png(id))
      await makeTea(`${sku}/1`, [`${sku}-red`, `${sku}-blue`])
      await makeTea(`${sku} ü`, [`${sku}-green`, `${sku}-red`])
      await makeTea(`${sku}-none`, [])
      const job = await makeJob(shop.admin, bodyFor(destination(), sku, {}))
      const first = await run(job.id)
      assert.equal(first.status, 'success', first.error!)
      assert.deepEqual(first.files, { sent: 4, unchanged: 0, failed: 0, errors: [] })
      const pictures = [`${sku} ü-1.jpg`, `${sku} ü-2.jpg`, `${sku}-1-1.jpg`, `${sku}-1-2.jpg`]
      assert.deepEqual(names(sku).toSorted(), [...pictures, `${sku}.jsonl`].toSorted())
      const { format, width, height } = await sharp(read(pictures[0]!)).metadata()
      assert.deepEqual([format, width <= 1200, height <= 1200], ['jpeg', true, true])
      const address = (name: string) => BASE + encodeURIComponent(name)
      assert.deepEqual(feedOf(sku), [
        {
          sku: `${sku}/1`,
          links: [address(`${sku}-1-1.jpg`), address(`${sku}-1-2.jpg`)],
          first: address(`${sku}-1-1.jpg`),
        },
        {
          sku: `${sku} ü`,
          links: [address(`${sku} ü-1.jpg`), address(`${sku} ü-2.jpg`)],
          first: address(`${sku} ü-1.jpg`),
        },
        { sku: `${sku}-none`, links: null, first: null },
      ])
      const second = await run(job.id)
      assert.deepEqual(second.files, { sent: 0, unchanged: 4, failed: 0, errors: [] })
      const other = { content: everywhere(await uploaded(shop.admin, await png('black'), 'new.png')) }
      const changed = await send(shop.admin, 'PATCH', `/api/v1/records/${sku}-red`, { values: other })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual((await run(job.id)).files, { sent: 2, unchanged: 2, failed: 0, errors: [] })
      assert.deepEqual(await litterIn(path.join(dataDir, 'spool'), shop.admin), [])
    })

    it('do without what is missing, not renderable or not named, and so does the feed', async () => {
      const sku = `${initial}bad`
      await makePicture(`${sku}-good`, await png('white'))
      await makePicture(`${sku}-good2`, await png('grey'))
      await makePicture(`${sku}-text`, 'no picture', 'notes.txt')
      await make(shop.admin, '/api/v1/records', { id: `${sku}-empty`, schemaId: 'sch-picture', values: {} })
      const one = await makeTea(`${sku}1`, [`${sku}-good`, `${sku}-text`, `${sku}-empty`])
      // The name of the first file of the one before.
      const two = await makeTea(`${sku}1`, [`${sku}-good2`])
      const job = await makeJob(shop.admin, bodyFor(destination(), sku, {}))
      const { status, error, files } = await run(job.id)
      assert.equal(status, 'success', error!)
      assert.deepEqual(
        { ...files, errors: files!.errors.map(({ recordId, n }) => [recordId, n]) },
        {
          sent: 1,
          unchanged: 0,
          failed: 3,
          errors: [
            [one, 3],
            [two, 1],
            [one, 2],
          ],
        },
      )
      assert.match(files!.errors[0]!.message, /has no file/)
      assert.match(files!.errors[1]!.message, /same name/)
      assert.deepEqual(names(sku), [`${sku}.jsonl`, `${sku}1-1.jpg`])
      assert.deepEqual(
        feedOf(sku).map(({ links }) => links),
        [[`${BASE}${sku}1-1.jpg`], null],
      )
    })
  })
}

describe('Files beside the feed', () => {
  it('may be originals of an attribute of the record itself, under their own names', async () => {
    const sheet = everywhere(await uploaded(shop.admin, 'a data sheet', 'Sheet one.pdf'))
    await makeTea('Csheet', [], { sheet })
    const files = { attributes: ['sheet'], preset: 'original', name: '{sku|lower} {fileName}' }
    const job = await makeJob(shop.admin, {
      ...bodyFor(roads['by one call of deliverAll'].destination(), 'Csheet', files),
      columns: [{ header: 'sheet', attributeAlias: 'sheet', part: 'url' }],
    })
    assert.equal((await run(job.id)).files!.sent, 1)
    assert.equal(readFileSync(path.join(out, 'csheet Sheet one.pdf'), 'utf8'), 'a data sheet')
    assert.match(readFileSync(path.join(out, 'Csheet.jsonl'), 'utf8'), /pictures\/csheet%20Sheet%20one\.pdf"/)
  })

  it('are sent again to another place', async () => {
    await makePicture('D-red', await png('red'))
    await makeTea('Dplace', ['D-red'])
    const body = bodyFor(roads['by one call of deliverAll'].destination(), 'Dplace', {})
    const job = await makeJob(shop.admin, body)
    assert.equal((await run(job.id)).files!.sent, 1)
    const elsewhere = path.join(dataDir, 'elsewhere')
    mkdirSync(elsewhere)
    const moved = await send(shop.admin, 'PUT', `${JOBS}/${job.id}`, {
      ...body,
      destinationConfig: { directory: elsewhere },
    })
    assert.equal(moved.status, 200, moved.text)
    assert.equal((await run(job.id)).files!.sent, 1)
    assert.deepEqual(readdirSync(elsewhere).toSorted(), ['Dplace-1.jpg', 'Dplace.jsonl'])
  })

  it('of a run that failed in the middle are not sent again', async () => {
    for (const color of ['red', 'blue']) await makePicture(`E-${color}`, await png(color))
    await makeTea('Efail', ['E-red', 'E-blue'])
    const job = await makeJob(shop.admin, bodyFor({ ...jobFor(puppet, 'stopsAfter', { maxAttempts: 1 }) }, 'Efail', {}))
    const begun = await trigger(shop.admin, job.id)
    await eventually(() => puppet.files().includes('Efail-1.jpg'))
    await send(shop.admin, 'POST', `${JOBS}/${job.id}/runs/${begun.id}/cancel`)
    const failed = (await whenEnded(shop.admin, begun)) as FilesRun
    const { sent, unchanged } = failed.files!
    assert.deepEqual([failed.status, sent, unchanged, puppet.files().includes('Efail.jsonl')], ['failed', 0, 0, false])
    puppet.go()
    assert.deepEqual((await run(job.id)).files!.sent, 2)
    assert.deepEqual(await litterIn(path.join(dataDir, 'spool'), shop.admin), [])
  })

  it('follow a delta: a picture that changed brings its product', async () => {
    for (const color of ['red', 'blue']) await makePicture(`F-${color}`, await png(color))
    await makeTea('Fone', ['F-red'])
    await makeTea('Ftwo', ['F-blue'])
    const delta = { delta: {}, checksum: 'sha256', columns: null }
    const job = await makeJob(shop.admin, bodyFor({}, 'F', { publicBase: undefined }, delta))
    assert.equal((await run(job.id)).files!.sent, 2)
    const content = everywhere(await uploaded(shop.admin, await png('black'), 'new.png'))
    await send(shop.admin, 'PATCH', '/api/v1/records/F-blue', { values: { content } })
    const next = await run(job.id)
    assert.deepEqual([next.kind, next.recordCount, next.files!.sent], ['delta', 1, 1])
  })

  it('are there already where their feed is delivered again', async () => {
    await makePicture('H-red', await png('red'))
    await makeTea('Hagain', ['H-red'])
    const place = roads['by one call of deliverAll'].destination()
    const job = await makeJob(shop.admin, bodyFor(place, 'Hagain', {}, { maxAttempts: 1 }))
    // A file cannot take the place of a directory.
    mkdirSync(path.join(out, 'Hagain.jsonl'))
    const failed = await run(job.id)
    assert.deepEqual(
      [failed.status, failed.files!.sent, failed.keptUntil === null],
      ['failed', 1, false],
      failed.error!,
    )
    rmdirSync(path.join(out, 'Hagain.jsonl'))
    const again = await send<RunBody>(shop.admin, 'POST', `${JOBS}/${job.id}/runs/${failed.id}/redeliver`)
    const done = (await whenEnded(shop.admin, again.body)) as FilesRun
    assert.deepEqual([done.status, done.files], ['success', null], done.error!)
    assert.match(readFileSync(path.join(out, 'Hagain.jsonl'), 'utf8'), /Hagain-1\.jpg/)
  })

  it('wait for the guards of the feed', async () => {
    await makePicture('I-red', await png('red'))
    await makeTea('Iguard', ['I-red'])
    const job = await makeJob(shop.admin, bodyFor({}, 'Iguard', {}, { guards: { minRecords: 2 } }))
    assert.match((await run(job.id)).error!, /minRecords/)
    assert.ok(!puppet.files().some((name) => name.startsWith('Iguard')))
  })

  it('must be confirmed by a plugin that takes them', async () => {
    await makePicture('J-red', await png('red'))
    await makePicture('J-blue', await png('blue'))
    await makeTea('Jsloppy', ['J-red', 'J-blue'])
    for (const [does, message] of [
      ['confirms none', /did not confirm all files/],
      ['takes one', /did not confirm all files/],
      ['confirms twice', /not taken, or twice/],
    ] as const) {
      const sloppy = { destinationType: 'sloppy', destinationConfig: { does }, maxAttempts: 1 }
      const { status, error } = await run((await makeJob(shop.admin, bodyFor(sloppy, 'Jsloppy', {}))).id)
      assert.equal(status, 'failed')
      assert.match(error!, message)
    }
  })

  it('are told by the preview, which sends none', async () => {
    await makePicture('G-red', await png('red'))
    await makeTea('Gone', ['G-red'])
    const job = await makeJob(shop.admin, bodyFor({}, 'Gone', {}))
    const { text } = await send(shop.admin, 'POST', `${JOBS}/${job.id}/preview`, {})
    assert.match(text, /pictures\/Gone-1\.jpg/)
    assert.ok(!puppet.files().some((name) => name.startsWith('Gone')))
  })
})

describe('The member files of a job', () => {
  const refused = async (
    files: object,
    named: string,
    more: object = {},
    code: 'VALIDATION_ERROR' | 'PERMISSION_DENIED' = 'VALIDATION_ERROR',
    by = shop.admin,
  ) => {
    const answer = await send(by, 'POST', JOBS, bodyFor({}, 'X', files, more))
    assertErrorBody(answer.body, code, named)
  }

  it('is refused where it does not fit, and the message names the member', async () => {
    await refused({ attributes: [] }, 'files.attributes')
    await refused({ attributes: ['pictures', 'pictures'] }, 'files.attributes')
    await refused({ attributes: ['nothing'] }, 'files.attributes[0]')
    await refused({ attributes: ['sku'] }, 'files.attributes[0]')
    await refused({ preset: 'poster' }, 'files.preset', { columns: null })
    await refused({ preset: 'web' }, 'columns[1].preset')
    await refused({ attributes: ['sheet'] }, 'columns[1].attributeAlias')
    await refused({ name: '{sku' }, 'files.name')
    await refused({ name: '{nothing}-{n}' }, 'files.name')
    await refused({ name: '' }, 'files.name')
    await refused({ as: 'tar' }, 'files.as')
    await refused({ as: 'zip' }, 'files')
    await refused({ publicBase: 'http://shop.example.com' }, 'files.publicBase')
    await refused({ publicBase: 'https://shop.example.com/?a' }, 'files.publicBase')
    await refused({ more: 1 }, "'files.more'")
  })

  it('needs the right to the files, to their names and to the referred records', async () => {
    const rights = ['records.read', 'exportJobs.write', 'exportJobs.read'] as const
    for (const [hidden, files] of [
      [{ 'sch-picture': { content: 'none' } }, {}],
      [{ 'sch-tea': { pictures: 'none' } }, {}],
      [{ 'sch-tea': { sheet: 'none' } }, { name: '{sku}{sheet.sha256}-{n}' }],
    ] as const) {
      const clerk = await shop.clientWith([...rights], { attributePermissions: hidden })
      const [[, attributes]] = Object.entries(hidden) as [[string, object]]
      const columns = [{ header: 'sku', attributeAlias: 'sku' }]
      await refused(files, `'${Object.keys(attributes)[0]}'`, { columns, selection: null }, 'PERMISSION_DENIED', clerk)
    }
  })

  it('shows no map of a hidden attribute of the referred records, and no name that is made of a hidden attribute', async () => {
    const map = { 'front.jpg': 'Front' }
    const columns = [{ header: 'file', attributeAlias: 'pictures', via: 'content', part: 'fileName', map }]
    const body = bodyFor({}, 'H', { publicBase: undefined, name: '{sku|map:{A1:B2}}-{n}.{ext}' }, { columns })
    const { id, files } = await makeJob(shop.admin, body)
    const attributePermissions = { 'sch-picture': { content: 'none' }, 'sch-tea': { sku: 'none' } } as const
    const clerk = await shop.clientWith(['exportJobs.read'], { attributePermissions })
    const seen = await getJob(clerk, id)
    assert.deepEqual(seen.columns, [{ ...columns[0], map: '********' }])
    assert.deepEqual(seen.files, { ...(files as object), name: '********' })
    const kept = await send<JobBody>(shop.admin, 'PUT', `/api/v1/export-jobs/${id}`, { ...seen, selection: null })
    assert.deepEqual([kept.body.columns, kept.body.files], [columns, files], kept.text)
  })

  it('stays as it was sent', async () => {
    const body = bodyFor({}, 'Y', {})
    const job = await makeJob(shop.admin, body)
    const { body: read } = await send<{ files: object }>(shop.admin, 'GET', `${JOBS}/${job.id}`)
    assert.deepEqual(read.files, body.files)
    assert.equal(
      hashOf(JSON.stringify(read.files)),
      hashOf(JSON.stringify((job as unknown as { files: object }).files)),
    )
  })
})

describe('Renaming an attribute', () => {
  it('renames it in the files of jobs, and in their names', async () => {
    const attributes = [
      { alias: 'code', dataType: 'text' },
      { alias: 'n', dataType: 'text' },
      { alias: 'plan', dataType: 'file' },
    ]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-plan', name: 'Plan', attributes })
    const files = { attributes: ['plan'], preset: 'original', name: '{code|lower}-{n}.{ext}', as: 'beside' }
    const { id } = await makeJob(shop.admin, jobFor(puppet, 'deliver', { schemaId: 'sch-plan', files }))
    for (const [from, to] of [
      ['code', 'number'],
      ['plan', 'drawing'],
      ['n', 'm'],
    ]) {
      const address = '/api/v1/schemas/sch-plan/rename-attribute'
      const renaming = await send<{ id: string }>(shop.admin, 'POST', address, { from, to })
      assert.equal((await untilEnded(shop.admin, renaming.body.id)).status, 'succeeded')
    }
    const { body } = await send<{ files: object }>(shop.admin, 'GET', `${JOBS}/${id}`)
    assert.deepEqual(body.files, { ...files, attributes: ['drawing'], name: '{number|lower}-{n}.{ext}' })
  })
})

describe('A zip with the feed', () => {
  it('has its files under their names, and is streamed to a plugin in its thread', async () => {
    await makePicture('Z-red', await png('red'))
    await makePicture('Z-text', 'no picture', 'notes.txt')
    await makeTea('Zip ü', ['Z-red', 'Z-text'])
    const { destination, read } = roads['by one call of deliverAll']
    const more = { filenameTemplate: 'Zip.zip', checksum: 'sha256' }
    const job = await makeJob(shop.admin, bodyFor(destination(), 'Zip', { as: 'zip', publicBase: undefined }, more))
    const { status, error, files: told, sha256, fileSize } = await run(job.id)
    assert.equal(status, 'success', error!)
    assert.deepEqual([told!.sent, told!.failed, told!.errors[0]!.n], [1, 1, 2])
    const bytes = read('Zip.zip')
    assert.deepEqual([hashOf(bytes), bytes.length], [sha256, fileSize])
    assert.equal(read('Zip.zip.sha256').toString(), `${sha256}  Zip.zip\n`)
    const entries = await readZip(path.join(out, 'Zip.zip'))
    assert.deepEqual([...entries.keys()], ['Zip.jsonl', 'Zip ü-1.jpg'])
    assert.match(entries.get('Zip.jsonl')!.toString(), /"sku":"Zip ü"/)
    assert.equal((await sharp(entries.get('Zip ü-1.jpg')).metadata()).format, 'jpeg')
    assert.deepEqual(await litterIn(path.join(dataDir, 'spool'), shop.admin), [])
    assert.equal((await run(job.id)).files!.sent, 1)
  })

  it('is refused with compression, and with addresses of files', async () => {
    const answer = await send(shop.admin, 'POST', JOBS, {
      ...bodyFor({}, 'X', { as: 'zip', publicBase: undefined }),
      compress: true,
    })
    assertErrorBody(answer.body, 'VALIDATION_ERROR', 'compress')
  })
})
