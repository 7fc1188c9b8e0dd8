// Addresses, and the data that back and forward restore.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  parseAddress,
  parseColumns,
  parseScope,
  writeAddress,
  writeColumns,
  writeScope,
} from '../../../console/state/addresses.ts'
import { Router } from '../../../console/state/router.ts'
import { fakeBrowser } from '../fake-browser.ts'

describe('An address', () => {
  it('is read as it was written, whatever stands in it', () => {
    const address = { place: 'records', id: 'ent-1', query: { q: 'Tee & Käse=50 %', scope: 'language:de,market:eu' } }
    const text = writeAddress(address)
    assert.deepEqual(parseAddress(text), address)
    assert.match(text, /scope=language:de,market:eu/)
  })

  it('that is none of the console is home', () => {
    for (const text of ['/', '/docs', '/console/', '//evil.example/console/'])
      assert.equal(parseAddress(text).place, '', text)
  })

  it('says scopes and columns', () => {
    const scope = { language: 'de', market: 'eu' }
    assert.deepEqual(parseScope(writeScope(scope)), scope)
    assert.deepEqual(parseScope('-'), {})
    const columns = [
      { name: 'sku', scope: {} },
      { name: 'name', scope },
      { name: '-state', scope: {} },
    ]
    assert.equal(writeColumns(columns), 'sku,name@language:de@market:eu,-state')
    assert.deepEqual(parseColumns(writeColumns(columns)), columns)
    assert.deepEqual(parseColumns(''), [])
  })
})

describe('The router', () => {
  it('A9 back and forward restore what was kept beside each address', async () => {
    const browser = fakeBrowser('/console/records?q=tee')
    const router = new Router(browser)
    router.keep('scroll', 480)
    await browser.pass(300)
    router.go({ place: 'records', id: 'ent-1' }, { list: ['ent-1', 'ent-2'] })
    assert.equal(router.kept('scroll'), undefined)
    assert.deepEqual(router.kept('list'), ['ent-1', 'ent-2'])
    browser.travel(-1)
    assert.equal(router.query.value['q'], 'tee')
    assert.equal(router.kept('scroll'), 480)
    browser.travel(1)
    assert.equal(router.id.value, 'ent-1')
  })

  it('A9 what was kept a moment ago is not lost by going on', () => {
    const browser = fakeBrowser('/console/records')
    const router = new Router(browser)
    router.keep('cursor', 'r7')
    router.go({ place: 'account' })
    browser.travel(-1)
    assert.equal(router.kept('cursor'), 'r7')
  })

  it('changes the query in place, and as a step that back undoes', () => {
    const browser = fakeBrowser('/console/records?q=tee')
    const router = new Router(browser)
    router.setQuery({ sort: '-sku' })
    assert.equal(browser.entries.length, 1)
    router.setQuery({ q: undefined, state: 'draft' }, { isStep: true })
    assert.equal(browser.address(), '/console/records?sort=-sku&state=draft')
    router.back()
    assert.deepEqual(router.query.value, { q: 'tee', sort: '-sku' })
  })

  it('stays where a guard says so', () => {
    const browser = fakeBrowser('/console/records')
    const router = new Router(browser)
    const release = router.guard(() => false)
    router.go({ place: 'account' })
    assert.equal(router.place.value, 'records')
    release()
    router.go({ place: 'account' })
    assert.equal(router.place.value, 'account')
  })
})
