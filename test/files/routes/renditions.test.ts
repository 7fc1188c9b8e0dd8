// Renditions through records and by public addresses. Contract 4 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { publicKeyOf, publicPath } from '../../../src/files/rules/public-address.ts'
import { FIRST_PRESETS } from '../../../src/files/rules/presets.ts'
import { assertErrorBody, send } from '../../helpers/answers.ts'
import { ask, uploaded } from '../../helpers/files.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { decodeKey } from '../../../src/kernel/machine/data-directory.ts'

let shop: Workspace
let sha256: string
let picture: Buffer
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-picture',
    name: 'Picture',
    attributes: [
      { alias: 'content', dataType: 'file' },
      { alias: 'focus', dataType: 'json' },
    ],
  })
  const red = { create: { width: 400, height: 400, channels: 3 as const, background: '#ff0000' } }
  picture = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#0000ff' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toBuffer()
  const content = await uploaded(shop.admin, picture, 'Hemd rot.png')
  sha256 = content.sha256
  const focus = { x: 1, y: 0.5 }
  const values = { content: everywhere(content), focus: everywhere(focus) }
  await make(shop.admin, '/api/v1/records', { id: 'p-1', schemaId: 'sch-picture', values })
  const text = await uploaded(shop.admin, 'no picture', 'lies.txt')
  await make(shop.admin, '/api/v1/records', {
    id: 'p-2',
    schemaId: 'sch-picture',
    values: { content: everywhere(text) },
  })
})
after(() => shop.stop())

const rendition = (preset: string, id = 'p-1', hash = sha256) =>
  `/api/v1/records/${id}/files/${hash}/renditions/${preset}`

describe('GET /api/v1/records/:id/files/:sha256/renditions/:preset', () => {
  it('answers the picture in the size of the preset, the same for all who ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(shop.admin, rendition('thumb'))))
    const [first] = answers as [(typeof answers)[0]]
    assert.equal(first.status, 200, first.bytes.toString())
    for (const { bytes } of answers) assert.ok(bytes.equals(first.bytes))
    const { format, width, height } = await sharp(first.bytes).metadata()
    assert.deepEqual([format, width, height], ['webp', 160, 80])
    assert.equal(first.headers.get('content-type'), 'image/webp')
    assert.equal(first.headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.match(first.headers.get('content-disposition')!, /^inline; filename="Hemd-rot\.webp"/)
    const known = await ask(shop.admin, rendition('thumb'), {
      headers: { 'if-none-match': first.headers.get('etag')! },
    })
    assert.equal(known.status, 304)
    const part = await ask(shop.admin, rendition('thumb'), { headers: { range: 'bytes=0-3' } })
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'RIFF'])
  })

  it('answers the file itself for the preset original', async () => {
    assert.ok((await ask(shop.admin, rendition('original'))).bytes.equals(picture))
  })

  it('crops at the focus point of the record', async () => {
    await make(shop.admin, '/api/v1/rendition-presets', {
      id: 'tall',
      width: 100,
      height: 200,
      fit: 'cover',
      format: 'png',
      focus: 'focus',
    })
    const { bytes } = await ask(shop.admin, rendition('tall'))
    const { data } = await sharp(bytes)
      .extract({ left: 5, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([...data.subarray(0, 3)], [0, 0, 255])
  })

  it('says why a file cannot be rendered, and what does not exist', async () => {
    const { body: files } = await send<{ values: { content: [{ value: { sha256: string } }] } }>(
      shop.admin,
      'GET',
      '/api/v1/records/p-2',
    )
    const text = files.values.content[0].value.sha256
    const refused = await ask(shop.admin, rendition('thumb', 'p-2', text))
    assert.equal(refused.status, 422)
    assertErrorBody(JSON.parse(refused.bytes.toString()), 'NOT_RENDERABLE')
    for (const asked of [
      rendition('none'),
      rendition('thumb', 'p-2'),
      rendition('thumb', 'p-9'),
      rendition('thumb', 'p-1', 'ab'.repeat(32)),
    ])
      assert.equal((await ask(shop.admin, asked)).status, 404, asked)
  })

  it('is hidden from roles that may not read the attribute', async () => {
    const attributePermissions = { 'sch-picture': { content: 'none' } }
    await make(shop.admin, '/api/v1/roles', {
      id: 'role-blind',
      name: 'Blind',
      permissions: ['records.read'],
      attributePermissions,
    })
    const client = await sessionOf(shop, (await makeUser(shop, { roleId: 'role-blind' })).username)
    assert.equal((await ask(client, rendition('thumb'))).status, 404)
  })
})

describe('GET /public/:signature/:preset/:fileName', () => {
  const [thumb, , , original] = FIRST_PRESETS as [
    (typeof FIRST_PRESETS)[0],
    unknown,
    unknown,
    (typeof FIRST_PRESETS)[0],
  ]
  const address = (preset = thumb): string => {
    const key = decodeKey(readFileSync(path.join(shop.dataDir, 'encryption.key')))
    return publicPath(publicKeyOf(key, ''), { sha256, preset, fileName: 'Hemd rot.png' })
  }

  it('answers everybody, to be kept for a year', async () => {
    const { status, headers, bytes } = await ask(shop.anonymous, address())
    assert.equal(status, 200, bytes.toString())
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal((await sharp(bytes).metadata()).width, 160)
    assert.ok((await ask(shop.anonymous, address(original))).bytes.equals(picture))
  })

  it('is refused with another preset, a changed signature, and after the addresses were rotated', async () => {
    const good = address()
    const forged = good.replace(/^\/public\/(.)/, (_all, first: string) => `/public/${first === 'A' ? 'B' : 'A'}`)
    for (const bad of [
      good.replace('/thumb/', '/web/'),
      good.replace('/thumb/', '/gone/'),
      forged,
      '/public/x/thumb/a.webp',
    ])
      assert.equal((await ask(shop.anonymous, bad)).status, 404, bad)
    assert.equal((await send(shop.admin, 'POST', '/api/v1/files/rotate-addresses')).status, 200)
    assert.equal((await ask(shop.anonymous, good)).status, 404)
  })
})
