// The model for the screens: in the domain's shapes, in the user's language, as far as the role may see it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signal } from '@preact/signals'
import { scoreCompleteness } from '../../../src/core/records/rules/completeness.ts'
import { labelOf } from '../../../console/state/labels.ts'
import { ModelState, nameIn, workspaceOf } from '../../../console/state/model.ts'
import { Preferences } from '../../../console/state/preferences.ts'
import { Router } from '../../../console/state/router.ts'
import { ScopeState, likelyScope } from '../../../console/state/scope.ts'
import { Refusal } from '../../../console/api/failures.ts'
import type { Call } from '../../../console/api/call.ts'
import { fakeBrowser } from '../fake-browser.ts'
import { ME, SEEN_MODEL } from '../seen-model.ts'

const answering = (bodies: Readonly<Record<string, unknown>>): Call =>
  (async (name: string) => {
    const body = bodies[name]
    if (body instanceof Error) throw body
    return { body }
  }) as unknown as Call

describe('The model', () => {
  it('is called in the language of the console, else as it is', () => {
    const named = { name: 'Tea', names: { de: 'Tee', 'pt-BR': 'Chá' } }
    assert.deepEqual(
      ['de', 'de-AT', 'pt-BR', 'fr', 'constructor'].map((language) => nameIn(named, language)),
      ['Tee', 'Tee', 'Chá', 'Tea', 'Tea'],
    )
  })

  it('is what the rules of the domain take: completeness is scored here as by the server', () => {
    const { model, schemas } = workspaceOf(ME, SEEN_MODEL)
    const schema = schemas.get('sch-tea')!.rules
    const own = { name: [{ scope: { language: 'de' }, value: 'Tee' }] }
    const score = scoreCompleteness({ layers: { own, inherited: null }, schema, model }, 'sold')
    assert.deepEqual(
      [score.filled, score.total, score.missing],
      [1, 2, [{ attributeAlias: 'name', scope: { language: 'en' } }]],
    )
  })

  it('marks attributes whose guard the role may not know', () => {
    const [tea] = SEEN_MODEL.schemas
    const attributes = tea!.attributes.map((attribute) => ({ ...attribute, guard: '********' as const }))
    const { schemas } = workspaceOf(ME, { ...SEEN_MODEL, schemas: [{ ...tea!, attributes }] })
    assert.deepEqual([...schemas.get('sch-tea')!.masked], ['sku', 'name', 'price'])
    assert.equal(schemas.get('sch-tea')!.rules.attribute('name')!.guard, null)
  })

  it('says what the role may do with an attribute: its entry, else the default', async () => {
    const me = { ...ME, defaultAttributePermission: 'read', attributePermissions: { 'sch-tea': { price: 'write' } } }
    const model = new ModelState(answering({ 'GET /api/v1/me': me, 'GET /api/v1/me/model': SEEN_MODEL }), signal('de'))
    assert.equal(model.access('sch-tea', 'price'), 'none')
    await model.load()
    assert.deepEqual(
      ['price', 'name', 'constructor'].map((alias) => model.access('sch-tea', alias)),
      ['write', 'read', 'read'],
    )
    assert.equal(model.scopeName({ market: 'eu', language: 'de' }), 'Deutsch · Europe')
  })

  it('S4 without records.read there is a user, but no workspace', async () => {
    const refusal = new Refusal({ code: 'PERMISSION_DENIED', message: 'no', status: 403, requestId: '' })
    const call = answering({ 'GET /api/v1/me': { ...ME, permissions: [] }, 'GET /api/v1/me/model': refusal })
    const model = new ModelState(call, signal('en'))
    await model.load()
    assert.equal(model.me.value?.id, ME.id)
    assert.equal(model.workspace.value, null)
    assert.equal(model.may('records.read'), false)
  })
})

describe('A record is called', () => {
  const schema = workspaceOf(ME, SEEN_MODEL).schemas.get('sch-tea')
  const name = [
    { scope: { language: 'en' }, value: 'Tea' },
    { scope: { language: 'de' }, value: 'Tee' },
  ]

  it('as the scope that is looked at has it, else as any', () => {
    assert.equal(labelOf({ id: 'r', values: { name } }, schema, { language: 'de' }), 'Tee')
    assert.equal(labelOf({ id: 'r', values: { name } }, schema, { language: 'fr' }), 'Tea')
  })

  it('by its first text that has a value, by its ID where there is none', () => {
    assert.equal(labelOf({ id: 'r', values: { sku: [{ scope: {}, value: 'T-1' }], name } }, schema, {}), 'T-1')
    assert.equal(labelOf({ id: 'r', values: {} }, schema, {}), 'r')
  })
})

describe('The scope bar', () => {
  const open = (address: string, browser = fakeBrowser(address)) => {
    const router = new Router(browser)
    const { dimensions } = workspaceOf(ME, SEEN_MODEL)
    return { browser, router, scope: new ScopeState(browser, router, signal(dimensions)) }
  }

  it('is in the address, without what the model does not know', () => {
    const { scope } = open('/console/records?scope=market:eu,language:de,gone:x,market2:y')
    assert.deepEqual(Object.entries(scope.current.value), [
      ['language', 'de'],
      ['market', 'eu'],
    ])
  })

  it('is written into the address, and remembered by the tab for addresses that say nothing', () => {
    const { browser, router, scope } = open('/console/records?q=tee')
    scope.choose('language', 'de')
    assert.equal(browser.address(), '/console/records?q=tee&scope=language:de')
    router.go({ place: 'account' })
    assert.deepEqual(scope.current.value, { language: 'de' })
    scope.choose('language', undefined)
    assert.equal(browser.address(), '/console/account?scope=-')
    assert.deepEqual(scope.current.value, {})
  })

  it('begins with the language that the user reads, also of another region, and with the first where nobody is understood', () => {
    const language = (...ids: string[]) => ({ id: 'language', name: '', segments: ids.map((id) => ({ id, name: id })) })
    const market = { id: 'market', name: '', segments: ['de-shop', 'us'].map((id) => ({ id, name: id })) }
    assert.deepEqual(likelyScope(['de-AT'], [market, language('en_US', 'de_CH', 'de_DE')]), { language: 'de_CH' })
    assert.deepEqual(likelyScope(['de-AT'], [language('de_DE', 'de', 'de-AT')]), { language: 'de-AT' })
    assert.deepEqual(likelyScope(['de-LU'], [language('de_DE', 'de')]), { language: 'de' })
    assert.deepEqual(likelyScope(['es-ES'], [market, language(), language('pl', 'cs')]), { language: 'pl' })
    assert.deepEqual(likelyScope(['es-ES'], [market]), {})
  })

  it('begins with the language that the user reads, where the model has it, else with English', () => {
    const { dimensions } = workspaceOf(ME, SEEN_MODEL)
    assert.deepEqual(likelyScope(['fr-FR', 'de-AT'], dimensions), { language: 'de' })
    assert.deepEqual(likelyScope(['fr-FR'], dimensions), { language: 'en' })
    assert.deepEqual(likelyScope(['fr-FR'], []), {})
    assert.deepEqual(open('/console/records?scope=-').scope.current.value, {})
  })

  it('steps through the segments of the first dimension, and through none', () => {
    const { scope } = open('/console/records?scope=-')
    const seen = ['.', '.', '.', ','].map((key) => {
      scope.step(key === '.' ? 1 : -1)
      return scope.current.value['language']
    })
    assert.deepEqual(seen, ['en', 'de', undefined, 'de'])
  })
})

describe('Preferences', () => {
  const load = (stored: object) => {
    const browser = fakeBrowser()
    const sent: unknown[] = []
    const call = (async (name: string, options: { body: unknown }) => {
      if (name.startsWith('PUT')) sent.push(options.body)
      return { body: name.startsWith('PUT') ? options.body : stored }
    }) as unknown as Call
    return { browser, sent, preferences: new Preferences(browser, call, (send) => send()) }
  }

  it('are the service’s, and what other clients keep there stays', async () => {
    const { browser, sent, preferences } = load({ other: { a: 1 }, console: { language: 'de', theme: 'dark' } })
    await preferences.load('anna')
    assert.deepEqual([preferences.language.value, preferences.theme.value], ['de', 'dark'])
    preferences.set({ density: 'tight' })
    preferences.setPlace('schema', 'sch-tea')
    await browser.pass(1000)
    assert.equal(sent.length, 1)
    const { other, console } = sent[0] as { other: object; console: { density: string; theme: string } }
    assert.deepEqual([other, console.density, console.theme], [{ a: 1 }, 'tight', 'dark'])
    assert.equal(preferences.ofPlace('schema'), 'sch-tea')
  })

  it('are kept by the browser for the time before signing in', async () => {
    const { browser, preferences } = load({})
    preferences.set({ language: 'de' })
    assert.equal(new Preferences(browser, answering({}), (send) => send()).language.value, 'de')
  })

  it('that do not fit are as at first', async () => {
    const { preferences } = load({ console: { language: 'xx', theme: 7, density: null, places: 'no', letterKeys: 1 } })
    await preferences.load('anna')
    const { language, theme, density, letterKeys } = preferences
    assert.deepEqual([language.value, theme.value, density.value, letterKeys.value], ['en', 'auto', 'normal', true])
  })
})
