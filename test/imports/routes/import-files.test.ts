// Imports that fetch the files of their rows, or find uploaded ones by name. Contract 3 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, errorsOf, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import type { Client } from '../../helpers/client.ts'
import { hashOf, uploaded } from '../../helpers/files.ts'
import { CSV, importFile } from '../../helpers/importing.ts'
import { everywhere, make, readAudit, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

let shop: Workspace
let site: Server
let base: string
/** Requests under way, at most so far, and in all. */
const load = { now: 0, most: 0, all: 0 }
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, allowDestinations: ['127.0.0.1'], maxFile: 100_000 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-picture',
    name: 'Pictures',
    attributes: [
      { alias: 'content', dataType: 'file' },
      { alias: 'scoped', dataType: 'file', dimensionIds: ['language'] },
      { alias: 'name', dataType: 'text' },
    ],
  })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-product',
    name: 'Products',
    attributes: [
      { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-picture', maxCount: 3 } },
      { alias: 'others', dataType: 'references', validation: { schemaId: 'sch-product' } },
    ],
  })
  site = createServer((asked, response) => {
    load.now += 1
    load.all += 1
    load.most = Math.max(load.most, load.now)
    response.on('close', () => (load.now -= 1))
    const answer = async () => {
      if (asked.url === '/gone') return response.writeHead(404).end()
      if (asked.url === '/large') return response.end(Buffer.alloc(200_000))
      await sleep(20)
      return response.end(`bytes of ${asked.url}`)
    }
    void answer()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
after(async () => {
  site.closeAllConnections()
  site.close()
  await shop.stop()
})

const columnsWith = (step: string) => [
  { header: 'id', to: { field: 'id' } },
  { header: 'picture', to: { attributeAlias: 'content' }, with: ['trim', step] },
  { header: 'german', to: { attributeAlias: 'scoped', scope: { language: 'de' } }, with: [step] },
  { header: 'name', to: { attributeAlias: 'name' } },
]
async function uploadOf(rows: string[], step = 'fetch', client: Client = shop.admin): Promise<string> {
  const body = ['id,picture,german,name', ...rows, ''].join('\n')
  const options = { method: 'POST', headers: { ...client.headers, 'content-type': CSV }, body }
  const { id } = (await (await fetch(`${client.url}/api/v1/imports?fileName=k.csv`, options)).json()) as { id: string }
  const mapping = { schemaId: 'sch-picture', mode: 'upsert', columns: columnsWith(step) }
  const mapped = await send(client, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  assert.equal(mapped.status, 200, mapped.text)
  return id
}
async function begin(id: string, how = 'run', client: Client = shop.admin) {
  const answer = await send<BulkJobBody & { fetches?: number }>(client, 'POST', `/api/v1/imports/${id}/${how}`)
  assert.equal(answer.status, 202, answer.text)
  return (await untilEnded(client, answer.body.id)) as BulkJobBody & { fetches?: number }
}
const fileOf = async (id: string, alias = 'content') => {
  const [found] = (await readRecord(shop.admin, id)).values[alias] ?? []
  const { sha256, fileName } = (found?.value ?? {}) as { sha256?: string; fileName?: string }
  return [sha256, fileName]
}

describe('The step fetch', () => {
  it('fetches the file at the address in a cell, and keeps it in the record', async () => {
    const job = await begin(await uploadOf([`f-1, ${base}/a.jpg ,${base}/de/b.jpg,One`, 'f-2,,,Two']))
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 2, 0])
    assert.deepEqual(await fileOf('f-1'), [hashOf('bytes of /a.jpg'), 'a.jpg'])
    assert.deepEqual(await fileOf('f-1', 'scoped'), [hashOf('bytes of /de/b.jpg'), 'b.jpg'])
    const bytes = await fetch(`${shop.admin.url}/api/v1/records/f-1/files/${hashOf('bytes of /a.jpg')}`, {
      headers: shop.admin.headers,
    })
    assert.equal(await bytes.text(), 'bytes of /a.jpg')
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.status, undone.changed], ['succeeded', 2])
  })

  it('reports unchanged where the record holds the same bytes, also under another name', async () => {
    const value = await uploaded(shop.admin, 'bytes of /same.jpg', 'ours.jpg')
    await make(shop.admin, '/api/v1/records', {
      id: 'same-1',
      schemaId: 'sch-picture',
      values: { content: everywhere(value) },
    })
    const rows = [`same-1,${base}/same.jpg,,`]
    const job = await begin(await uploadOf(rows))
    assert.deepEqual([job.unchanged, job.changed], [1, 0])
    assert.deepEqual((await fileOf('same-1'))[1], 'ours.jpg')
    assert.equal((await readAudit(shop.admin, 'same-1')).length, 1)
    const renewed = await begin(await uploadOf([`same-1,${base}/other.jpg,,`]))
    assert.equal(renewed.updated, 1)
    assert.deepEqual(await fileOf('same-1'), [hashOf('bytes of /other.jpg'), 'other.jpg'])
  })

  it('fails the row of a file that cannot be fetched, naming the column', async () => {
    const rows = [
      `e-1,${base}/gone,,`,
      `e-2,${base}/large,,`,
      'e-3,http://169.254.169.254/latest,,',
      'e-4,no address,,',
      `e-5,,${base}/gone,`,
      `e-6,${base}/fine.jpg,,`,
    ]
    const job = await begin(await uploadOf(rows))
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 1, 5])
    const errors = await errorsOf(shop.admin, job.id)
    assert.deepEqual(
      errors.map(({ recordId }) => recordId),
      ['e-1', 'e-2', 'e-3', 'e-4', 'e-5'],
    )
    for (const [index, pattern] of [
      /^The column 'picture' cannot be fetched: .*404/,
      /^The column 'picture' cannot be fetched: .*--max-file/,
      /^The column 'picture' cannot be fetched: /,
      /^The column 'picture' must be an http or https URL/,
      /^The column 'german' cannot be fetched: .*404/,
    ].entries())
      assert.match(errors[index]!.message, pattern)
  })

  it('fetches at most four files at a time, and each address once', async () => {
    load.most = 0
    load.all = 0
    const rows = Array.from({ length: 40 }, (_, n) => `m-${n},${base}/many/${n % 30}.jpg,${base}/logo.jpg,`)
    const job = await begin(await uploadOf(rows))
    assert.deepEqual([job.created, job.failed], [40, 0])
    assert.ok(load.most > 1 && load.most <= 4, `${load.most} at a time`)
    assert.equal(load.all, 31)
  })

  it('fetches nothing in a dry run, which tells how many files there are', async () => {
    load.all = 0
    const id = await uploadOf([`d-1,${base}/a.jpg,${base}/b.jpg,x`, `d-2,${base}/c.jpg,,`, 'd-3,no address,,', 'f,,,'])
    const job = await begin(id, 'dry-run')
    assert.deepEqual([job.fetches, job.created, job.failed, load.all], [3, 3, 1, 0])
    await make(shop.admin, '/api/v1/records', { id: 'd-9', schemaId: 'sch-picture', values: {} })
    const known = await begin(await uploadOf([`d-9,${base}/a.jpg,,`]), 'dry-run')
    assert.deepEqual([known.unchanged, known.fetches], [1, 1])
  })

  it('is for the last step of a file, and for uploaded imports alone', async () => {
    const refuse = async (column: object, ...named: string[]) => {
      const body = { name: 'P', schemaId: 'sch-picture', columns: [{ header: 'a', ...column }] }
      assertRefused(await send(shop.admin, 'POST', '/api/v1/import-profiles', body), 'VALIDATION_ERROR', ...named)
    }
    await refuse({ to: { attributeAlias: 'name' }, with: ['fetch'] }, 'columns[0].with[0]', 'file')
    await refuse({ to: { field: 'id' }, with: ['fileName'] }, 'columns[0].with[0]', 'file')
    await refuse({ to: { attributeAlias: 'content' }, with: ['fetch', 'trim'] }, 'columns[0].with[0]', 'last')
    const profile = { id: 'ipr-fetch', name: 'P', schemaId: 'sch-picture', columns: columnsWith('fetch') }
    await make(shop.admin, '/api/v1/import-profiles', profile)
    const arriving = importFile(shop.admin, 'id,picture,german,name\n', 'profile=ipr-fetch', CSV)
    await assert.rejects(arriving, /column 'picture' names files.*POST \/api\/v1\/imports/)
  })
})

const PICTURES = { header: 'pictures', to: { attributeAlias: 'pictures' } }
async function productsOf(rows: string[], step = 'fetch'): Promise<string> {
  const body = ['id,pictures', ...rows, ''].join('\n')
  const options = { method: 'POST', headers: { ...shop.admin.headers, 'content-type': CSV }, body }
  const { id } = (await (await fetch(`${shop.admin.url}/api/v1/imports?fileName=p.csv`, options)).json()) as {
    id: string
  }
  const columns = [
    { header: 'id', to: { field: 'id' } },
    { ...PICTURES, with: [step] },
  ]
  const mapping = { schemaId: 'sch-product', mode: 'upsert', columns }
  const mapped = await send(shop.admin, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  assert.equal(mapped.status, 200, mapped.text)
  return id
}
const picturesOf = async (id: string) =>
  ((await readRecord(shop.admin, id)).values['pictures']?.[0]?.value ?? []) as string[]
const countPictures = async () => {
  const search = { criteria: [], criteriaOperator: 'and', schemaId: 'sch-picture', limit: 1 }
  const answer = await send<object[]>(shop.admin, 'POST', '/api/v1/search', search)
  return Number(answer.headers.get('x-total-count'))
}

describe('References to pictures', () => {
  it('are made of the addresses in a cell: the record that holds the bytes, or a new one', async () => {
    const before = await countPictures()
    const value = await uploaded(shop.admin, 'bytes of /known.jpg', 'known.jpg')
    const known = { id: 'pic-known', schemaId: 'sch-picture', values: { content: everywhere(value) } }
    await make(shop.admin, '/api/v1/records', known)
    const rows = [
      `p-1,${base}/p1.jpg|${base}/known.jpg`,
      `p-2, ${base}/p2.jpg | ${base}/p1.jpg`,
      `p-3,${base}/p3.jpg|${base}/gone`,
      'p-4,',
    ]
    const job = await begin(await productsOf(rows))
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 3, 1])
    const [first, second] = await picturesOf('p-1')
    assert.equal(second, 'pic-known')
    assert.deepEqual(await fileOf(first!), [hashOf('bytes of /p1.jpg'), 'p1.jpg'])
    assert.equal((await readAudit(shop.admin, first!))[0]!.origin.id, job.id)
    const [third, again] = await picturesOf('p-2')
    assert.deepEqual([(await fileOf(third!))[1], again], ['p2.jpg', first])
    assert.equal(await countPictures(), before + 3)

    const repeated = await begin(await productsOf(rows))
    assert.deepEqual([repeated.unchanged, repeated.changed, repeated.failed], [3, 0, 1])

    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.status, undone.changed, undone.failed], ['succeeded', 5, 0])
    assert.equal(await countPictures(), before + 1)
  })

  it('stay with the record of a picture that others refer to when the import is undone', async () => {
    const job = await begin(await productsOf([`k-1,${base}/kept.jpg`]))
    const [picture] = await picturesOf('k-1')
    const values = { pictures: everywhere([picture]) }
    await make(shop.admin, '/api/v1/records', { id: 'k-2', schemaId: 'sch-product', values })
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.changed, undone.failed], [1, 1])
    assert.deepEqual(await picturesOf('k-2'), [picture])
  })

  it('leave nothing of a row that fails', async () => {
    const before = await countPictures()
    const job = await begin(await productsOf([`x-1,${[1, 2, 3, 4].map((n) => `${base}/x${n}.jpg`).join('|')}`]))
    assert.deepEqual([job.created, job.failed], [0, 1])
    assert.equal(await countPictures(), before)
    assert.match((await errorsOf(shop.admin, job.id))[0]!.message, /at most 3/)
  })

  it('are made of uploaded files by their names, and not in a dry run', async () => {
    await uploaded(shop.admin, 'front', 'front.jpg')
    await uploaded(shop.admin, 'back', 'back.jpg')
    const before = await countPictures()
    const id = await productsOf(['u-1,front.jpg|back.jpg', 'u-2,side.jpg'], 'fileName')
    const tried = await begin(id, 'dry-run')
    assert.deepEqual([tried.created, tried.failed], [1, 1])
    assert.equal(await countPictures(), before)
    const job = await begin(id)
    assert.deepEqual([job.created, job.failed], [1, 1])
    const names = await Promise.all((await picturesOf('u-1')).map(async (picture) => (await fileOf(picture))[1]))
    assert.deepEqual(names, ['front.jpg', 'back.jpg'])
    const many = await begin(await productsOf([`d-1,${base}/1.jpg|${base}/2.jpg`]), 'dry-run')
    assert.equal(many.fetches, 2)
  })

  it('are the records that have a file of the name, unless several do', async () => {
    const picture = async (id: string, bytes: string, fileName: string) => {
      const content = everywhere(await uploaded(other, bytes, fileName))
      await make(other, '/api/v1/records', { id, schemaId: 'sch-picture', values: { content } })
    }
    const other = await shop.clientWith(['records.read', 'records.create', 'records.update', 'files.write'])
    await picture('pic-side', 'side bytes', 'by name.jpg')
    await picture('pic-top', 'top bytes', 'twice.jpg')
    await picture('pic-end', 'end bytes', 'twice.jpg')
    const before = await countPictures()
    const job = await begin(await productsOf(['w-1,by name.jpg', 'w-2,twice.jpg', 'w-3,never.jpg'], 'fileName'))
    assert.deepEqual([job.created, job.failed], [1, 2])
    assert.deepEqual(await picturesOf('w-1'), ['pic-side'])
    const [twice, never] = await errorsOf(shop.admin, job.id)
    assert.match(twice!.message, /^The column 'pictures' names the file 'twice.jpg', which several records have/)
    assert.match(
      never!.message,
      /names the file 'never.jpg', which you have not uploaded within a day, and no picture has/,
    )
    assert.equal(await countPictures(), before)
  })

  it('need a schema that has a file', async () => {
    const columns = [{ header: 'a', to: { attributeAlias: 'others' }, with: ['fetch'] }]
    const body = { name: 'P', schemaId: 'sch-product', columns }
    const answer = await send(shop.admin, 'POST', '/api/v1/import-profiles', body)
    assertRefused(answer, 'VALIDATION_ERROR', 'columns[0].with[0]', 'file')
  })
})

describe('The step fileName', () => {
  it('finds the latest file that the owner uploaded under the name', async () => {
    await uploaded(shop.admin, 'old bytes', 'hemd.jpg')
    await sleep(5)
    const value = await uploaded(shop.admin, 'new bytes', 'hemd.jpg')
    const other = await uploaded(shop.admin, 'other', 'größe 1.jpg')
    const id = await uploadOf(['n-1,hemd.jpg,größe 1.jpg,', 'n-2,hemd,,', 'n-3,pictures/hemd.jpg,,'], 'fileName')
    const tried = await begin(id, 'dry-run')
    assert.deepEqual([tried.created, tried.failed, tried.fetches], [2, 1, 0])
    const job = await begin(id)
    assert.deepEqual([job.created, job.failed], [2, 1])
    assert.deepEqual(await fileOf('n-1'), [value.sha256, 'hemd.jpg'])
    assert.deepEqual(await fileOf('n-1', 'scoped'), [other.sha256, 'größe 1.jpg'])
    assert.deepEqual(await fileOf('n-3'), [value.sha256, 'hemd.jpg'])
    const [error] = await errorsOf(shop.admin, job.id)
    assert.match(error!.message, /^The column 'picture' names the file 'hemd', which you have not uploaded/)
  })

  it('finds no file of somebody else', async () => {
    await uploaded(shop.admin, 'secret', 'secret.jpg')
    const client = await shop.clientWith(['records.read', 'records.create', 'records.update', 'files.write'])
    const job = await begin(await uploadOf(['s-1,secret.jpg,,'], 'fileName', client), 'run', client)
    assert.deepEqual([job.created, job.failed], [0, 1])
  })
})
