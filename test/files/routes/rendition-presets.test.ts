// Rendition presets as a resource, and the key of public addresses. Contract 4 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { createPublicAddressService } from '../../../src/files/public-addresses.ts'
import { FIRST_PRESETS, type Preset } from '../../../src/files/rules/presets.ts'
import { openSignature, publicPath } from '../../../src/files/rules/public-address.ts'
import { system } from '../../../src/kernel/machine/system.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../../helpers/bulk-jobs.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { openTestedStore } from '../../helpers/tested-database.ts'

const PATH = '/api/v1/rendition-presets'
const card = { id: 'card', width: 300, height: 400, fit: 'cover', format: 'webp', focus: 'focus' }

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

describe('GET /api/v1/rendition-presets', () => {
  it('has four presets from the start', async () => {
    const { status, body } = await send<Preset[]>(shop.admin, 'GET', PATH)
    assert.equal(status, 200)
    assert.deepEqual(body, FIRST_PRESETS)
    assert.deepEqual(
      body.map(({ id, width, fit, format }) => [id, width, fit, format]),
      [
        ['thumb', 160, 'inside', 'webp'],
        ['web', 1600, 'inside', 'webp'],
        ['square', 1200, 'contain', 'jpeg'],
        ['original', undefined, 'inside', 'original'],
      ],
    )
  })

  it('is for everybody who has signed in; changes are for those who may change the model', async () => {
    await make(shop.admin, '/api/v1/roles', { id: 'role-none', name: 'None', permissions: [] })
    const caller = await sessionOf(shop, (await makeUser(shop, { roleId: 'role-none' })).username)
    assert.equal((await send(caller, 'GET', PATH)).status, 200)
    assert.equal((await send(caller, 'GET', `${PATH}/web`)).status, 200)
    assertRefused(await send(caller, 'POST', PATH, card), 'PERMISSION_DENIED', 'model.write')
    assertRefused(await send(caller, 'PUT', `${PATH}/web`, card), 'PERMISSION_DENIED')
    assertRefused(await send(caller, 'DELETE', `${PATH}/web`), 'PERMISSION_DENIED')
  })
})

describe('A rendition preset', () => {
  it('is created, read, replaced and deleted, and the feed tells of that', async () => {
    // POST /api/v1/rendition-presets
    const created = await send<Preset>(shop.admin, 'POST', PATH, card)
    assert.deepEqual([created.status, created.body], [201, card])
    assertRefused(await send(shop.admin, 'POST', PATH, card), 'CONFLICT', 'card')
    // GET /api/v1/rendition-presets/:id
    assert.deepEqual((await send(shop.admin, 'GET', `${PATH}/card`)).body, card)
    // PUT /api/v1/rendition-presets/:id
    const { focus: _, ...without } = { ...card, width: 301 }
    const replaced = await send<Preset>(shop.admin, 'PUT', `${PATH}/card`, without)
    assert.deepEqual([replaced.status, replaced.body], [200, without])
    assertRefused(
      await send(shop.admin, 'PUT', `${PATH}/card`, { ...card, fit: 'inside' }),
      'VALIDATION_ERROR',
      'focus',
    )
    // DELETE /api/v1/rendition-presets/:id
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/card`)).status, 204)
    assertRefused(await send(shop.admin, 'GET', `${PATH}/card`), 'NOT_FOUND', 'Rendition preset', 'card')
    const feed = `/api/v1/changes?entityType=model&before=latest&limit=3`
    const { items } = (await send<{ items: Record<string, unknown>[] }>(shop.admin, 'GET', feed)).body
    assert.deepEqual(
      items.map(({ entityType, entityId, action }) => [entityType, entityId, action]),
      ['delete', 'update', 'create'].map((action) => ['renditionPreset', 'card', action]),
    )
    assert.deepEqual(items[1]!['changes'], [
      { field: 'width', oldValue: 300, newValue: 301 },
      { field: 'focus', oldValue: 'focus', newValue: null },
    ])
  })

  it('gets an ID, where none is given', async () => {
    const { body } = await send<Preset>(shop.admin, 'POST', PATH, { ...card, id: undefined })
    assert.match(body.id, /^rp-/)
    await send(shop.admin, 'DELETE', `${PATH}/${body.id}`)
  })

  it('that gives the bytes as they are stays as it is', async () => {
    assertRefused(await send(shop.admin, 'PUT', `${PATH}/original`, card), 'CONFLICT', 'original')
    assertRefused(await send(shop.admin, 'DELETE', `${PATH}/original`), 'CONFLICT', 'original')
    assertRefused(await send(shop.admin, 'PUT', `${PATH}/nothing`, card), 'NOT_FOUND', 'nothing')
    assertRefused(await send(shop.admin, 'DELETE', `${PATH}/nothing`), 'NOT_FOUND', 'nothing')
  })

  it('whose addresses include=image gives can be changed, but not deleted', async () => {
    const { body: thumb } = await send<Preset>(shop.admin, 'GET', `${PATH}/thumb`)
    assert.equal((await send(shop.admin, 'PUT', `${PATH}/thumb`, { ...thumb, width: 161 })).status, 200)
    assertRefused(await send(shop.admin, 'DELETE', `${PATH}/thumb`), 'CONFLICT', 'thumb')
    assert.equal((await send(shop.admin, 'PUT', `${PATH}/thumb`, thumb)).status, 200)
  })

  it('is one of 100 at most', async () => {
    const ids = Array.from({ length: 96 }, (_, at) => `many-${at}`)
    for (const id of ids) await make(shop.admin, PATH, { ...card, id })
    assertRefused(await send(shop.admin, 'POST', PATH, { ...card, id: 'more' }), 'LIMIT_EXCEEDED', '100')
    for (const id of ids) await send(shop.admin, 'DELETE', `${PATH}/${id}`)
  })

  it('follows the attribute of its focus to another alias', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-picture',
      name: 'Picture',
      attributes: [{ alias: 'focus', dataType: 'json' }],
    })
    await make(shop.admin, PATH, card)
    const rename = '/api/v1/schemas/sch-picture/rename-attribute'
    const { body } = await send<BulkJobBody>(shop.admin, 'POST', rename, { from: 'focus', to: 'centre' })
    await untilEnded(shop.admin, body.id)
    assert.equal((await send<Preset>(shop.admin, 'GET', `${PATH}/card`)).body.focus, 'centre')
  })
})

describe('The key of public addresses', () => {
  it('is the same at every server and after a restart, until somebody rotates the addresses', async (t) => {
    const store = await openTestedStore()
    t.after(() => store.close())
    const encryptionKey = Buffer.alloc(32, 1)
    const [one, other] = [1, 2].map(() => createPublicAddressService({ store, system, encryptionKey, publicUrl: '' }))
    const [web] = FIRST_PRESETS as [Preset]
    const content = { sha256: 'ab'.repeat(32), preset: web, fileName: 'a.png' }
    const signature = publicPath(await one!.key(), content).split('/')[2]!
    assert.deepEqual(openSignature(await other!.key(), signature, web), { sha256: content.sha256 })
    const caller = { id: 'usr-1', kind: 'user', name: 'Ann', role: BUILT_IN_ROLES[0]! } as const
    for (let round = 0; round < 2; round += 1) {
      const before = await one!.key()
      await one!.rotate(caller)
      assert.notDeepEqual(await one!.key(), before)
      assert.deepEqual(await other!.key(), await one!.key())
      assert.equal(openSignature(await one!.key(), signature, web), undefined)
    }
  })

  it('is rotated by POST /api/v1/files/rotate-addresses, which the feed tells without the salt', async () => {
    const { status, body } = await send<{ rotatedAt: string }>(shop.admin, 'POST', '/api/v1/files/rotate-addresses')
    assert.equal(status, 200)
    const feed = `/api/v1/changes?entityType=model&before=latest&limit=1`
    const { items } = (await send<{ items: Record<string, unknown>[] }>(shop.admin, 'GET', feed)).body
    assert.equal(items[0]!['entityType'], 'publicAddresses')
    assert.deepEqual(items[0]!['changes'], [{ field: 'rotatedAt', oldValue: null, newValue: body.rotatedAt }])
    const caller = await sessionOf(shop, (await makeUser(shop, { roleId: 'role-none' })).username)
    assertRefused(await send(caller, 'POST', '/api/v1/files/rotate-addresses'), 'PERMISSION_DENIED', 'model.write')
  })
})
