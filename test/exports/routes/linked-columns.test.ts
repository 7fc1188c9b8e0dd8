// Columns that read the records which a row refers to, and addresses of files. Contract 4 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { assertErrorBody, assertRefused, send } from '../../helpers/answers.ts'
import { untilEnded } from '../../helpers/bulk-jobs.ts'
import { getJob, jobFor, makeJob, runOnce, type RunBody, trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { ask, uploaded } from '../../helpers/files.ts'
import { installPuppet, type Puppet } from '../../helpers/puppet.ts'
import { english, everywhere, german, make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const EXPORT = '/api/v1/records/export'
const SHOP = 'https://pim.example.com/tea'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir, publicUrl: SHOP })
  const { admin } = shop
  await make(admin, '/api/v1/schemas', {
    id: 'sch-picture',
    name: 'Picture',
    imageAttribute: 'content',
    attributes: [
      { alias: 'content', dataType: 'file' },
      { alias: 'alt', dataType: 'text', dimensionIds: ['language'] },
      { alias: 'focus', dataType: 'json' },
    ],
  })
  await make(admin, '/api/v1/schemas', {
    id: 'sch-tea',
    name: 'Tea',
    imageAttribute: 'pictures',
    attributes: [
      { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-picture' } },
      { alias: 'cover', dataType: 'file' },
      { alias: 'maker', dataType: 'reference' },
    ],
  })
  const content = await uploaded(admin, await picture('red'), 'front view.png')
  const other = await uploaded(admin, await picture('blue'), 'back.png')
  const text = await uploaded(admin, 'no picture', 'notes.txt')
  await makePicture('front', content, { alt: [english('Front'), german('Vorn')], focus: everywhere({ x: 0, y: 0.5 }) })
  await makePicture('back', other, { alt: [german('Hinten')] })
  await makePicture('notes', text)
  const values = {
    pictures: everywhere(['front', 'back', 'notes']),
    cover: everywhere(other),
    maker: everywhere('old'),
  }
  await make(admin, '/api/v1/records', { id: 'old', schemaId: 'sch-tea', values: {} })
  await make(admin, '/api/v1/records', { id: 'tea', schemaId: 'sch-tea', values })
  await make(admin, '/api/v1/records', { id: 'bag', schemaId: 'sch-tea', parentId: 'tea', values: {} })
})
after(() => shop.stop())

const picture = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
const makePicture = (id: string, content: object, values: object = {}) =>
  make(shop.admin, '/api/v1/records', {
    id,
    schemaId: 'sch-picture',
    values: { content: everywhere(content), ...values },
  })

type Column = Record<string, unknown>

/** The values of the columns for one record, in JSON. */
async function rowOf(id: string, ...columns: Column[]): Promise<unknown[]> {
  const named = columns.map((column, index) => ({ header: `c${index}`, ...column }))
  const criteria = [{ field: 'id', operator: 'equals', value: id }]
  const body = { schemaId: 'sch-tea', criteria, criteriaOperator: 'and', format: 'jsonl', columns: named }
  const answer = await send(shop.admin, 'POST', EXPORT, body)
  assert.equal(answer.status, 200, answer.text)
  return Object.values(JSON.parse(answer.text) as object)
}
async function refused(column: Column, named: string, code: 'VALIDATION_ERROR' | 'PERMISSION_DENIED', by = shop.admin) {
  const columns = [{ header: 'c', ...column }]
  const body = { schemaId: 'sch-tea', criteria: [], criteriaOperator: 'and', format: 'csv', columns }
  const answer = await send(by, 'POST', EXPORT, body)
  assertErrorBody(answer.body, code, named)
}

const pictures = { attributeAlias: 'pictures' }
const content = { ...pictures, via: 'content' }

describe('A column of referred records', () => {
  it('has the values of all of them in order, or of the one at its index', async () => {
    assert.deepEqual(await rowOf('tea', { ...content, part: 'fileName' }, { ...content, index: 2, part: 'fileName' }), [
      ['front view.png', 'back.png', 'notes.txt'],
      'back.png',
    ])
    const alt = { ...pictures, via: 'alt', scope: { language: 'en' } }
    assert.deepEqual(
      await rowOf('tea', alt, { ...alt, index: 2 }, { ...pictures, index: 3 }, { ...pictures, index: 4 }),
      [['Front'], null, 'notes', null],
    )
  })

  it('reads what a variant inherits, and one reference', async () => {
    const maker = { attributeAlias: 'maker', via: 'cover', part: 'fileName' }
    assert.deepEqual(await rowOf('bag', { ...content, index: 1, part: 'mediaType' }, maker), ['image/png', null])
    const through = { attributeAlias: 'maker', via: 'pictures' }
    assert.deepEqual(await rowOf('tea', through), [null])
  })

  it('separates values in a cell, and maps each of them', async () => {
    const columns = [{ header: 'alt', ...pictures, via: 'alt', scope: { language: 'de' }, map: { Vorn: 'vorne' } }]
    const body = { schemaId: 'sch-tea', criteria: [], criteriaOperator: 'and', format: 'csv', columns, separator: ',' }
    const headers = { 'content-type': 'application/json' }
    const { bytes } = await ask(shop.admin, EXPORT, { method: 'POST', body: JSON.stringify(body), headers })
    assert.equal(bytes.toString(), 'alt\r\n\r\n"vorne,Hinten"\r\n"vorne,Hinten"\r\n')
  })

  it('is refused where the members do not fit', async () => {
    for (const [column, named] of [
      [{ ...pictures, via: 'nothing' }, 'columns[0].via'],
      [{ ...pictures, via: 'contnt' }, "did you mean 'content'?"],
      [{ ...content, part: 'amount' }, 'columns[0].part'],
      [{ ...pictures, part: 'url' }, 'via names an attribute of its records'],
      [{ attributeAlias: 'cover', via: 'content' }, 'columns[0].via'],
      [{ attributeAlias: 'cover', index: 1 }, 'columns[0].index'],
      [{ attributeAlias: 'maker', index: 2 }, 'columns[0].index'],
      [{ ...pictures, index: 0 }, 'columns[0].index'],
      [{ ...pictures, index: 201 }, 'columns[0].index'],
      [{ field: 'id', via: 'content' }, 'columns[0]'],
      [{ ...content, part: 'fileName', preset: 'thumb' }, 'columns[0]'],
      [{ ...content, part: 'url', preset: 'poster' }, 'columns[0].preset'],
    ] as const)
      await refused(column, named, 'VALIDATION_ERROR')
  })

  it('needs the right to the attribute of the referred record, in a search and in a job', async () => {
    const rights = ['records.read', 'exportJobs.write', 'exportJobs.read'] as const
    const clerk = await shop.clientWith([...rights], { attributePermissions: { 'sch-picture': { content: 'none' } } })
    await refused({ ...content, part: 'fileName' }, "'content'", 'PERMISSION_DENIED', clerk)
    const columns = [{ header: 'c', ...content, part: 'url' }]
    const job = jobFor(puppet, 'deliver', { schemaId: 'sch-tea', columns })
    assertRefused(await send(clerk, 'POST', '/api/v1/export-jobs', job), 'PERMISSION_DENIED', "'content'")
    const { id } = await makeJob(shop.admin, job)
    const taken = await send(clerk, 'POST', `/api/v1/export-jobs/${id}/take-over`)
    assert.equal(taken.status, 403, taken.text)
  })
})

describe('The address of a file', () => {
  it('stands behind --public-url, and answers the form of its preset to anybody', async () => {
    const url = { ...content, index: 1, part: 'url', preset: 'square' }
    const [whole, square, cover] = (await rowOf('tea', { attributeAlias: 'cover', part: 'url' }, url, {
      template: '{cover.url}',
    })) as string[]
    assert.ok(whole!.startsWith(`${SHOP}/public/`) && whole!.endsWith('/original/back.png'), whole)
    assert.equal(cover, whole)
    assert.match(square!, /\/square\/front-view\.jpg$/)
    const answer = await ask({ ...shop.admin, headers: {} }, square!.slice(SHOP.length))
    assert.equal(answer.status, 200)
    assert.equal((await sharp(answer.bytes).metadata()).format, 'jpeg')
  })

  it('keeps the focus point of the picture', async () => {
    const tall = { id: 'tall', width: 10, height: 40, fit: 'cover', format: 'png', focus: 'focus' }
    await make(shop.admin, '/api/v1/rendition-presets', tall)
    const [front, back] = (await rowOf(
      'tea',
      ...[1, 2].map((index) => ({ ...content, index, part: 'url', preset: 'tall' })),
    )) as [string, string]
    const signature = (url: string) => Buffer.from(url.split('/').at(-3)!, 'base64url')
    assert.equal(signature(front).length - signature(back).length, 4)
  })

  it('is empty for a file that has no rendition', async () => {
    const url = { ...content, part: 'url' }
    const [all, squares] = (await rowOf('tea', url, { ...url, preset: 'square' })) as string[][]
    assert.deepEqual([all!.length, squares!.length], [3, 2])
  })

  it('is in the file of a job, whose run fails where the preset is gone', async () => {
    const preset = { id: 'gone', width: 10, fit: 'inside', format: 'png' }
    await make(shop.admin, '/api/v1/rendition-presets', preset)
    const columns = [{ header: 'image_link', ...content, index: 1, part: 'url', preset: 'gone' }]
    const body = jobFor(puppet, 'deliver', { schemaId: 'sch-tea', columns, format: 'csv', filenameTemplate: '{runId}' })
    const first = await runOnce(shop.admin, body)
    assert.match(
      puppet.read(first.id).toString(),
      /^image_link\r\n\r\nhttps:\/\/pim\.example\.com\/tea\/public\/.*\/gone\/front-view\.png\r\n/,
    )
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/rendition-presets/gone')).status, 204)
    const second = await whenEnded(shop.admin, await trigger(shop.admin, first.jobId))
    assert.equal(second.status, 'failed')
    assert.match(String(second.error), /columns\[0\]\.preset names the unknown rendition preset 'gone'/)
  })
})

describe('A job that delivers changes', () => {
  it('has a record again whose picture was changed, and its variants', async () => {
    const columns = [
      { header: 'id', field: 'id' },
      { header: 'alt', ...pictures, via: 'alt', scope: { language: 'de' } },
      { header: 'url', ...content, index: 1, part: 'url' },
    ]
    const more = { schemaId: 'sch-tea', columns, format: 'jsonl', delta: {}, filenameTemplate: '{runId}' }
    const { id } = await makeJob(shop.admin, jobFor(puppet, 'deliver', more))
    const told = async (): Promise<string[]> => {
      const run: RunBody = await whenEnded(shop.admin, await trigger(shop.admin, id))
      assert.equal(run.status, 'success', String(run.error))
      const lines = puppet.read(run.id).toString().split('\n').slice(0, -1)
      return lines.map((line) => (JSON.parse(line) as { id: string }).id)
    }
    assert.deepEqual(await told(), ['old', 'tea', 'bag'])
    assert.deepEqual(await told(), [])
    const values = { alt: [german('Rückseite')] }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/records/back', { values })).status, 200)
    const explained = async (entityId: string): Promise<boolean> => {
      const path = `/api/v1/export-jobs/${id}/explain`
      return (await send<{ included: boolean }>(shop.admin, 'POST', path, { entityId })).body.included
    }
    assert.deepEqual([await explained('old'), await explained('tea'), await explained('bag')], [false, true, true])
    assert.deepEqual(await told(), ['tea', 'bag'])
    assert.equal((await send(shop.admin, 'POST', '/api/v1/files/rotate-addresses')).status, 200)
    assert.deepEqual(await told(), ['old', 'tea', 'bag'])
  })
})

describe('Renaming an attribute of referred records', () => {
  it('renames it in the columns that read it', async () => {
    const columns = [{ header: 'rights', ...pictures, via: 'rights' }]
    const attribute = { alias: 'rights', dataType: 'text' }
    const schema = (await send<{ attributes: object[] }>(shop.admin, 'GET', '/api/v1/schemas/sch-picture')).body
    const extended = { ...schema, attributes: [...schema.attributes, attribute] }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/schemas/sch-picture', extended)).status, 200)
    const { id } = await makeJob(shop.admin, jobFor(puppet, 'deliver', { schemaId: 'sch-tea', columns }))
    const asked = { from: 'rights', to: 'licence' }
    const renaming = await send<{ id: string }>(
      shop.admin,
      'POST',
      '/api/v1/schemas/sch-picture/rename-attribute',
      asked,
    )
    assert.equal((await untilEnded(shop.admin, renaming.body.id)).status, 'succeeded')
    assert.deepEqual((await getJob(shop.admin, id)).columns, [{ ...columns[0], via: 'licence' }])
  })
})
