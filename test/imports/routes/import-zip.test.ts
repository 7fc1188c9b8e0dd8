// Imports of zips: files for records, found by their names. Contract 4 §4.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { ZipFile } from 'yazl'
import { send } from '../../helpers/answers.ts'
import { errorsOf, undoJob } from '../../helpers/bulk-jobs.ts'
import { ask, hashOf } from '../../helpers/files.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { ENCRYPTED, part, UTF8, type ZipPart, zipOf } from '../../helpers/zip-file.ts'
import {
  makeProductSchemas,
  mappedZip,
  runZip,
  uploadZip,
  ZIP_MAPPING,
  type ZipImport,
  type ZipJob,
} from '../../helpers/zip-imports.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, maxFile: 100_000 })
  await makeProductSchemas(shop.admin, ['language'])
})
after(() => shop.stop())

let made = 0
/** Makes a record with a SKU that no other test has. */
async function product(values: object = {}): Promise<{ id: string; sku: string }> {
  made += 1
  const sku = `SH${made}`
  const { id } = await make<{ id: string }>(shop.admin, '/api/v1/records', {
    schemaId: 'sch-product',
    values: { sku: everywhere(sku), ...values },
  })
  return { id, sku }
}

const mapped = (parts: readonly ZipPart[], mapping: object = {}) => mappedZip(shop.admin, parts, mapping)
const begin = (id: string, how = 'run') => runZip(shop.admin, id, how)
const runOf = async (parts: readonly ZipPart[], mapping: object = {}) => begin(await mapped(parts, mapping))
const counts = ({ status, selected, updated, unchanged, failed }: ZipJob) => [
  status,
  selected,
  updated,
  unchanged,
  failed,
]

interface Sample {
  recordId: string
  file: string
  place: number
  line: number
}
async function samplesOf({ id }: ZipJob, outcome = 'updated'): Promise<[string, string, number][]> {
  const path = `/api/v1/bulk-jobs/${id}/samples?outcome=${outcome}&limit=1000`
  const { body } = await send<Sample[]>(shop.admin, 'GET', path)
  return body.map(({ file, recordId, place }) => [file, recordId, place])
}

/** The files of the pictures in the list of the record. */
async function picturesOf(id: string): Promise<string[]> {
  const [list] = (await readRecord(shop.admin, id)).values['pictures'] ?? []
  const found: string[] = []
  for (const picture of (list?.value ?? []) as string[]) {
    const { values } = await readRecord(shop.admin, picture)
    found.push((values['content']![0]!.value as { fileName: string }).fileName)
  }
  return found
}

describe('POST /api/v1/imports with a zip', () => {
  it('tells how many files there are, the first ones, and what is no file', async () => {
    const parts = [
      part('SH/', ''),
      part('SH/A-1.jpg'),
      part('__MACOSX/SH/._A-1.jpg'),
      part('.DS_Store'),
      part('.git/x.jpg'),
      part('B-1.jpg'),
    ]
    for (const type of ['application/zip', 'application/octet-stream', 'application/x-zip-compressed']) {
      const { status, body, text } = await uploadZip(shop.admin, parts, type)
      assert.equal(status, 201, text)
      assert.deepEqual([body.format, body.files, body.samples], ['zip', 2, ['SH/A-1.jpg', 'B-1.jpg']])
      assert.equal(body.skipped.files, 4)
      assert.deepEqual(body.skipped.samples, ['SH/', '__MACOSX/SH/._A-1.jpg', '.DS_Store', '.git/x.jpg'])
      assert.deepEqual([body.columns, body.status, body.mapping], [[], 'uploaded', null])
    }
  })

  it('reads names in UTF-8, with and without the flag, and in code page 437', async () => {
    const umlaut = Buffer.from('Grün-1.jpg')
    const old = Buffer.from([0x47, 0x72, 0x81, 0x6e, ...Buffer.from('-2.jpg')])
    const { body } = await uploadZip(shop.admin, [
      part(umlaut),
      part(Buffer.from('Gelb-ö-1.jpg'), 'x', { flags: 0 }),
      part(old, 'x', { flags: 0 }),
    ])
    assert.deepEqual(body.samples, ['Grün-1.jpg', 'Gelb-ö-1.jpg', 'Grün-2.jpg'])
  })

  it('refuses a zip that is dangerous, damaged or of no use, with 400', async () => {
    const zeros = Buffer.alloc(20 * 1024 ** 2)
    const whole = zipOf(part('A-1.jpg'), part('B-1.jpg'))
    const refused: [string, readonly ZipPart[] | Buffer, RegExp][] = [
      ['climbing', [part('../A-1.jpg')], /'\.\.\/A-1\.jpg'/],
      ['climbing inside', [part('a/../../A-1.jpg')], /leave the zip/],
      ['absolute', [part('/etc/A-1.jpg')], /leave the zip/],
      ['a drive', [part('C:/A-1.jpg')], /leave the zip/],
      ['a backslash', [part('a\\A-1.jpg')], /backslash/],
      [
        'encrypted',
        [part('A-1.jpg', 'x', { flags: UTF8 | ENCRYPTED, packed: Buffer.alloc(13) })],
        /'A-1\.jpg' of the zip is protected by a password/,
      ],
      ['a strange method', [part('A-1.jpg', 'x', { method: 12, packed: Buffer.from('x') })], /packed by the method 12/],
      ['twice', [part('A-1.jpg'), part('A-1.jpg')], /'A-1\.jpg' twice/],
      ['a bomb', [part('A-1.jpg', zeros, { method: 8 })], /too large when it is unpacked/],
      ['parts over one another', overlapping(), /over one another|damaged/],
      ['a long path', [part(`${'x'.repeat(1000)}-1.jpg`)], /more than 1000 characters/],
      ['a NUL', [part('A\0-1.jpg')], /NUL/],
      ['empty', [], /no files/],
      ['nothing but a directory', [part('a/', '')], /no files/],
      ['a workbook', [part('_rels/.rels'), part('A-1.jpg')], /workbook/],
      ['cut off', whole.subarray(0, -30), /damaged or incomplete/],
      ['no zip', Buffer.from('hello'), /no zip/],
    ]
    for (const [what, parts, message] of refused) {
      const answer = await uploadZip(shop.admin, parts)
      assert.equal(answer.status, 400, what)
      const { error, message: said } = answer.body as unknown as { error: string; message: string }
      assert.equal(error, 'VALIDATION_ERROR')
      assert.match(said, message, what)
    }
  })
})

describe('A zip of any bytes', () => {
  it('is refused, or its files fail one by one: the server never is at fault', { timeout: 300_000 }, async () => {
    const { sku } = await product()
    const whole = zipOf(part(`${sku}-1.jpg`, 'x'.repeat(300), { method: 8 }), part(`${sku}-2.jpg`, 'y'.repeat(100)))
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) })
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.nat(50),
      async (list, cut) => {
        const bytes = Buffer.from(whole.subarray(0, whole.length - (cut > 40 ? cut : 0)))
        for (const { at, to } of list) if (at < bytes.length) bytes[at] = to
        const { status, body, text } = await uploadZip(shop.admin, bytes)
        assert.ok(status === 201 || status === 400, text)
        if (status === 400) return
        const mapping = await send(shop.admin, 'PUT', `/api/v1/imports/${body.id}/mapping`, ZIP_MAPPING)
        assert.equal(mapping.status, 200, mapping.text)
        const job = await begin(body.id)
        assert.deepEqual([job.status, job.done], ['succeeded', body.files])
        for (const { error } of await errorsOf(shop.admin, job.id)) assert.notEqual(error, 'INTERNAL_ERROR')
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })

  it('may be a zip64', async () => {
    const { id, sku } = await product()
    const zip = new ZipFile()
    for (const n of [1, 2]) zip.addBuffer(Buffer.from(`64 ${n}`), `${sku}-${n}.jpg`, { forceZip64Format: true })
    zip.end({ forceZip64Format: true, comment: '' })
    const job = await begin(await mappedZip(shop.admin, await buffer(zip.outputStream), {}))
    assert.equal(job.updated, 2)
    assert.deepEqual(await picturesOf(id), [`${sku}-1.jpg`, `${sku}-2.jpg`])
  })
})

/** Two entries that say to have the same bytes. */
function overlapping(): Buffer {
  const zip = zipOf(part('A-1.jpg', Buffer.alloc(5000)), part('B-1.jpg', Buffer.alloc(5000, 1)))
  const end = zip.length - 22
  const at = zip.readUInt32LE(end + 16)
  // The second entry of the directory points to the first file.
  zip.writeUInt32LE(0, at + 46 + 7 + 42)
  const directory = zip.subarray(at, end)
  const cut = Buffer.concat([zip.subarray(0, 5037), directory, zip.subarray(end)])
  cut.writeUInt32LE(5037, cut.length - 22 + 16)
  return cut
}

describe('PUT /api/v1/imports/:id/mapping of a zip', () => {
  it('answers the mapping with what is usual', async () => {
    const { body } = await uploadZip(shop.admin, [part('A-1.jpg')])
    const { body: after } = await send<ZipImport>(shop.admin, 'PUT', `/api/v1/imports/${body.id}/mapping`, ZIP_MAPPING)
    const pattern = '(?i)^(?<key>.+?)[-_](?<n>\\d+)\\.(jpe?g|png|webp)$'
    assert.deepEqual(after.mapping, { ...ZIP_MAPPING, scope: {}, pattern, pictureSchemaId: null, mode: 'append' })
    assert.deepEqual([after.status, after.files], ['mapped', 1])
    const again = await send<ZipImport>(shop.admin, 'PUT', `/api/v1/imports/${body.id}/mapping`, after.mapping)
    assert.deepEqual(again.body.mapping, after.mapping)
  })

  it('refuses what does not fit, and names the member', async () => {
    const { body } = await uploadZip(shop.admin, [part('A-1.jpg')])
    const refused: [object, RegExp][] = [
      [{ schemaId: 'no' }, /^schemaId names the unknown schema 'no'/],
      [{ matchBy: 'name' }, /^matchBy names 'name', which is not unique/],
      [{ matchBy: undefined }, /matchBy/],
      [{ attributeAlias: 'nothing' }, /^attributeAlias names 'nothing'/],
      [{ attributeAlias: 'name' }, /^attributeAlias names 'name': it must be a file/],
      [{ attributeAlias: 'others' }, /^pictureSchemaId is required/],
      [
        { attributeAlias: 'others', pictureSchemaId: 'sch-notes' },
        /^pictureSchemaId names 'sch-notes', which is no schema with a file/,
      ],
      [{ attributeAlias: 'plain' }, /refers to records of 'sch-notes': that schema has no file/],
      [{ pictureSchemaId: 'sch-product' }, /^pictureSchemaId must be 'sch-photo'/],
      [{ attributeAlias: 'manual', pictureSchemaId: 'sch-photo' }, /^pictureSchemaId is for references/],
      [{ scope: { language: 'de' } }, /^scope names 'language'/],
      [{ pattern: '(' }, /^pattern is not a valid RE2 expression/],
      [{ pattern: '(.*)' }, /^pattern must have the group key/],
      [{ pattern: '(?=x)(?<key>.)' }, /^pattern is not a valid RE2 expression/],
      [{ mode: 'add' }, /mode/],
      [{ columns: [] }, /columns/],
    ]
    for (const [more, message] of refused) {
      const path = `/api/v1/imports/${body.id}/mapping`
      const answer = await send<{ message: string }>(shop.admin, 'PUT', path, { ...ZIP_MAPPING, ...more })
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.message, message, JSON.stringify(more))
    }
    const plain = { schemaId: 'sch-product', columns: [] }
    const answer = await send<{ message: string }>(shop.admin, 'PUT', `/api/v1/imports/${body.id}/mapping`, plain)
    assert.match(answer.body.message, /^attributeAlias is required/)
    assert.equal((await send(shop.admin, 'POST', `/api/v1/imports/${body.id}/run`)).status, 409)
  })
})

describe('The import of a zip', () => {
  it('gives each file to the record of its name, in the order of the numbers', async () => {
    const [one, other] = [await product(), await product()]
    const names = [`${one.sku}-10.jpg`, `${one.sku}_2.PNG`, `dir/${other.sku}-1.webp`, `${one.sku}-1.jpeg`]
    const job = await runOf(names.map((name) => part(name)))
    assert.deepEqual(counts(job), ['succeeded', 4, 4, 0, 0])
    assert.equal(job.pictures, 4)
    assert.deepEqual(await picturesOf(one.id), [`${one.sku}-1.jpeg`, `${one.sku}_2.PNG`, `${one.sku}-10.jpg`])
    assert.deepEqual(await picturesOf(other.id), [`${other.sku}-1.webp`])
    const { values } = await readRecord(shop.admin, other.id)
    const [picture] = values['pictures']![0]!.value as string[]
    const sha256 = hashOf(`dir/${other.sku}-1.webp`)
    const bytes = await fetch(`${shop.admin.url}/api/v1/records/${picture}/files/${sha256}`, {
      headers: shop.admin.headers,
    })
    assert.equal(await bytes.text(), `dir/${other.sku}-1.webp`)
  })

  it('stores nothing the second time, and reports every file unchanged', async () => {
    const [one, other] = [await product(), await product()]
    for (const mode of ['append', 'replace']) {
      const id = await mapped([part(`${one.sku}-1.jpg`), part(`${one.sku}-2.jpg`), part(`${other.sku}-1.jpg`)], {
        mode,
      })
      await begin(id)
      const lists = [await readRecord(shop.admin, one.id), await readRecord(shop.admin, other.id)]
      const again = await begin(id)
      assert.deepEqual([...counts(again), again.pictures], ['succeeded', 3, 0, 3, 0, 0])
      assert.deepEqual([await readRecord(shop.admin, one.id), await readRecord(shop.admin, other.id)], lists)
    }
  })

  it('appends behind the pictures that are there, or replaces the list', async () => {
    const { id, sku } = await product()
    await runOf([part(`${sku}-1.jpg`, 'a'), part(`${sku}-2.jpg`, 'b')])
    const job = await runOf([part(`${sku}-1.jpg`, 'c'), part(`${sku}-2.jpg`, 'a')])
    assert.deepEqual(counts(job), ['succeeded', 2, 1, 1, 0])
    assert.deepEqual(await samplesOf(job), [[`${sku}-1.jpg`, id, 3]])
    assert.deepEqual(await samplesOf(job, 'unchanged'), [[`${sku}-2.jpg`, id, 1]])
    const before = (await readRecord(shop.admin, id)).values['pictures']![0]!.value as string[]
    assert.deepEqual(counts(await runOf([part(`${sku}-1.jpg`, 'b')], { mode: 'replace' })), ['succeeded', 1, 1, 0, 0])
    assert.deepEqual((await readRecord(shop.admin, id)).values['pictures']![0]!.value, [before[1]])
  })

  it('says in a dry run which file goes to which record at which place, and which find none', async () => {
    const { id, sku } = await product()
    await runOf([part(`${sku}-1.jpg`, 'old')])
    const before = await readRecord(shop.admin, id)
    const names = [`${sku}-2.jpg`, `${sku}-1.jpg`, 'nobody-1.jpg', 'strange.jpg', `${sku}-0.jpg`]
    const zip = await mapped(names.map((name) => part(name, name === `${sku}-0.jpg` ? 'old' : name)))
    const job = await begin(zip, 'dry-run')
    assert.deepEqual([...counts(job), job.pictures], ['succeeded', 5, 2, 1, 2, 2])
    assert.deepEqual(await samplesOf(job), [
      [`${sku}-1.jpg`, id, 2],
      [`${sku}-2.jpg`, id, 3],
    ])
    assert.deepEqual(await samplesOf(job, 'unchanged'), [[`${sku}-0.jpg`, id, 1]])
    const errors = (await errorsOf(shop.admin, job.id)) as {
      file?: string
      error: string
      message: string
      line?: number
    }[]
    assert.deepEqual(
      errors.map(({ file, line, error }) => [file, line, error]),
      [
        ['nobody-1.jpg', 3, 'NOT_FOUND'],
        ['strange.jpg', 4, 'VALIDATION_ERROR'],
      ],
    )
    assert.match(errors[0]!.message, /^Record with the sku 'nobody' does not exist/)
    assert.match(errors[1]!.message, /does not match the pattern/)
    assert.deepEqual(await readRecord(shop.admin, id), before)
    const csv = await ask(shop.admin, `/api/v1/imports/${zip}/failed.csv`)
    assert.match(
      csv.bytes.toString(),
      /^file,error,message\r\nnobody-1\.jpg,NOT_FOUND,.*\r\nstrange\.jpg,VALIDATION_ERROR,.*\r\n$/,
    )
    const run = await begin(zip)
    assert.deepEqual(counts(run), counts(job))
    assert.equal(run.pictures, job.pictures)
  })

  it('undoes what it made and changed', async () => {
    const { id, sku } = await product()
    await runOf([part(`${sku}-1.jpg`, 'kept')])
    const before = await readRecord(shop.admin, id)
    const job = await runOf([part(`${sku}-1.jpg`), part(`${sku}-2.jpg`)], { mode: 'replace' })
    const [list] = (await readRecord(shop.admin, id)).values['pictures']!
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.status, undone.changed, undone.failed], ['succeeded', 3, 0])
    assert.deepEqual((await readRecord(shop.admin, id)).values, before.values)
    for (const picture of list!.value as string[])
      assert.equal((await send(shop.admin, 'GET', `/api/v1/records/${picture}`)).status, 404)
  })

  it('takes the record of a picture that has the same bytes', async () => {
    const [one, other] = [await product(), await product()]
    const job = await runOf([
      part(`${one.sku}-1.jpg`, 'shared'),
      part(`${other.sku}-1.jpg`, 'shared'),
      part(`${other.sku}-2.jpg`, 'shared'),
    ])
    assert.deepEqual([...counts(job), job.pictures], ['succeeded', 3, 2, 1, 0, 1])
    const lists = [one, other].map(async ({ id }) => (await readRecord(shop.admin, id)).values['pictures']![0]!.value)
    assert.deepEqual(await lists[0], await lists[1])
  })

  it('fails a file by itself, and gives the record the others', async () => {
    const { id, sku } = await product()
    const job = await runOf([
      part(`${sku}-1.jpg`, 'whole'),
      part(`${sku}-2.jpg`, 'damaged', { crc: 1 }),
      part(`${sku}-3.jpg`, 'broken', { method: 8, packed: Buffer.from('no deflate') }),
      part(`${sku}-4.jpg`, 'longer than it says', { size: 3, method: 8 }),
      part(`${sku}-5.jpg`, Buffer.alloc(100_001)),
      part(`${sku}-6.jpg`, Buffer.alloc(1001, 'x')),
      part(`${sku}-7.jpg`, 'fine'),
    ])
    assert.deepEqual(counts(job), ['succeeded', 7, 2, 0, 5])
    assert.deepEqual(await picturesOf(id), [`${sku}-1.jpg`, `${sku}-7.jpg`])
    const messages = (await errorsOf(shop.admin, job.id)).map(({ message }) => message)
    for (const [index, pattern] of [/damaged/, /damaged/, /damaged/, /--max-file/, /1000 bytes/].entries())
      assert.match(messages[index]!, pattern)
  })

  it('keeps the list where all files of a record fail', async () => {
    const { id, sku } = await product()
    await runOf([part(`${sku}-1.jpg`, 'kept in the list')])
    const job = await runOf([part(`${sku}-1.jpg`, 'damaged', { crc: 1 })], { mode: 'replace' })
    assert.deepEqual(counts(job), ['succeeded', 1, 0, 0, 1])
    assert.deepEqual(await picturesOf(id), [`${sku}-1.jpg`])
  })

  it('fails all files of a record that would get too many, and makes no pictures of them', async () => {
    const { id, sku } = await product()
    const parts = [1, 2, 3, 4, 5].map((n) => part(`${sku}-${n}.jpg`))
    for (const how of ['dry-run', 'run']) {
      const job = await begin(await mapped(parts), how)
      assert.deepEqual([...counts(job), job.pictures], ['succeeded', 5, 0, 0, 5, 0])
      const [error] = await errorsOf(shop.admin, job.id)
      assert.match(error!.message, /at most 4 records/)
    }
    assert.deepEqual((await readRecord(shop.admin, id)).values['pictures'], undefined)
  })

  it('gives a file attribute the first file, in one scope, and fails the others', async () => {
    const german = { scope: { language: 'de' }, value: null }
    const { id, sku } = await product()
    const mapping = {
      attributeAlias: 'manual',
      scope: { language: 'en' },
      pattern: '^(?<key>[^-]+)(-(?<n>\\d+))?\\.pdf$',
    }
    await runOf([part(`${sku}.pdf`, 'German')], { ...mapping, scope: { language: 'de' } })
    const parts = [part(`${sku}-2.pdf`, 'two'), part(`${sku}.pdf`, 'none'), part(`${sku}-1.pdf`, 'one')]
    for (const [how, expected] of [
      ['dry-run', 1],
      ['run', 1],
      ['run', 0],
    ] as const) {
      const job = await begin(await mapped(parts, mapping), how)
      assert.deepEqual(counts(job), ['succeeded', 3, expected, 1 - expected, 2])
      const [error] = await errorsOf(shop.admin, job.id)
      assert.match(error!.message, new RegExp(`'manual' takes one file: '${sku}\\.pdf' comes before`))
    }
    const { values } = await readRecord(shop.admin, id)
    const hashes = values['manual']!.map(({ scope, value }) => [scope, (value as { sha256: string }).sha256])
    assert.deepEqual(hashes, [
      [german.scope, hashOf('German')],
      [{ language: 'en' }, hashOf('none')],
    ])
  })

  it('finds records by ID, by a number, and by the path', async () => {
    const { id } = await product({ number: everywhere(4711) })
    const byId = await runOf([part(`${id}_1.jpg`, 'by id')], { matchBy: 'id' })
    const byNumber = await runOf([part('04711-1.jpg', 'zeros'), part('4711-1.jpg', 'by number')], { matchBy: 'number' })
    const byPath = await runOf([part('4711/front 3.jpg', 'by path')], {
      matchBy: 'number',
      pattern: '^(?<key>\\d+)/\\w+ (?<n>\\d)\\.jpg$',
    })
    assert.deepEqual([byId.updated, byNumber.updated! >= 1, byPath.updated], [1, true, 1])
    const wrong = await runOf([part('4711-1.jpg')], { matchBy: 'id' })
    assert.equal(wrong.failed, 1)
  })

  it('begins the list of a variant with that of its parent, and reports unchanged what the variant inherits', async () => {
    const parent = await product()
    await runOf([part(`${parent.sku}-1.jpg`, 'of the parent')])
    const variant = await make<{ id: string }>(shop.admin, '/api/v1/records', {
      schemaId: 'sch-product',
      parentId: parent.id,
      values: { sku: everywhere(`${parent.sku}V`) },
    })
    const same = await runOf([part(`${parent.sku}V-1.jpg`, 'of the parent')])
    assert.deepEqual([same.unchanged, same.changed], [1, 0])
    assert.equal((await readRecord(shop.admin, variant.id)).values['pictures'], undefined)
    const job = await runOf([part(`${parent.sku}V-1.jpg`, 'of the variant')])
    assert.deepEqual(await samplesOf(job), [[`${parent.sku}V-1.jpg`, variant.id, 2]])
    assert.deepEqual(await picturesOf(variant.id), [`${parent.sku}-1.jpg`, `${parent.sku}V-1.jpg`])
  })

  it('rehearses a variant behind its parent as it is imported', async () => {
    const parent = await product()
    const values = { sku: everywhere(`${parent.sku}V`) }
    await make(shop.admin, '/api/v1/records', { schemaId: 'sch-product', parentId: parent.id, values })
    const parts = [
      part(`${parent.sku}-1.jpg`, 'in front'),
      part(`${parent.sku}V-1.jpg`, 'in front'),
      part(`${parent.sku}V-2.jpg`, 'at the back'),
    ]
    const id = await mapped(parts)
    const [rehearsed, done] = [await begin(id, 'dry-run'), await begin(id)]
    assert.deepEqual(counts(rehearsed), ['succeeded', 3, 2, 1, 0])
    assert.deepEqual(counts(done), counts(rehearsed))
    assert.deepEqual(await samplesOf(rehearsed), await samplesOf(done))
  })

  it('takes a name of composed and decomposed letters for the same', async () => {
    const { id } = await product({ sku: everywhere('Grün') })
    assert.equal((await runOf([part('Gru\u0308n-1.jpg')])).updated, 1)
    assert.equal((await picturesOf(id)).length, 1)
  })
})
