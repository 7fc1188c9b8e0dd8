// The language of a person: chosen, or the browser's.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Call } from '../../../console/api/call.ts'
import { Preferences } from '../../../console/state/preferences.ts'
import { fakeBrowser } from '../fake-browser.ts'

/** A server that stores preferences. */
function server() {
  const sent: object[] = []
  let body: object = {}
  const call = (async (name: string, options: { readonly body: object }) => {
    if (name.startsWith('PUT')) sent.push((body = JSON.parse(JSON.stringify(options.body)) as object))
    return { body }
  }) as unknown as Call
  return { call, sent }
}

const write = <Result>(send: () => Promise<Result>): Promise<Result> => send()

describe('Preferences', () => {
  it('store a language only if the person chose it: otherwise each browser speaks its own', async () => {
    const browser = fakeBrowser()
    const { call, sent } = server()
    const preferences = new Preferences(browser, call, write)
    await preferences.load('anna')
    preferences.set({ theme: 'dark' })
    await browser.pass(1000)
    assert.equal('language' in (sent[0] as { console: object }).console, false)
    const german = new Preferences(Object.assign(fakeBrowser(), { languages: ['de-DE'] }), call, write)
    await german.load('anna')
    assert.deepEqual([german.language.value, german.theme.value], ['de', 'dark'])
    preferences.set({ language: 'en' })
    await browser.pass(1000)
    await german.load('anna')
    assert.equal(german.language.value, 'en')
  })

  it('of two tabs, and of another client, stay beside each other', async () => {
    const { call, sent } = server()
    const [one, other] = [fakeBrowser(), fakeBrowser()]
    const [first, second] = [new Preferences(one, call, write), new Preferences(other, call, write)]
    await first.load('anna')
    await second.load('anna')
    await call('PUT /api/v1/me/preferences', { body: { theirs: 1 } })
    first.set({ theme: 'dark' })
    first.setPlace('records', { columns: ['a'] })
    await one.pass(1000)
    second.setPlace('home', { schema: 'b' })
    await other.pass(1000)
    const { theirs, console } = sent.at(-1) as { theirs: number; console: object }
    assert.equal(theirs, 1)
    assert.partialDeepStrictEqual(console, {
      theme: 'dark',
      places: { records: { columns: ['a'] }, home: { schema: 'b' } },
    })
  })

  it('of a person who has signed out are not stored for the next one', async () => {
    const browser = fakeBrowser()
    const { call, sent } = server()
    const preferences = new Preferences(browser, call, write)
    await preferences.load('anna')
    preferences.setPlace('records', { schema: 'of the first person' })
    await preferences.load('anna')
    preferences.set({ theme: 'dark' })
    await browser.pass(1000)
    assert.equal(JSON.stringify(sent).includes('of the first person'), false)
  })

  it('of one person do not become those of the next one in the same browser', async () => {
    const browser = fakeBrowser()
    const first = new Preferences(browser, server().call, write)
    await first.load('anna')
    first.set({ language: 'de', theme: 'dark' })
    const second = new Preferences(browser, server().call, write)
    assert.equal(second.language.value, 'de')
    // A page that is loaded again at once has what was not saved yet.
    await second.load('anna')
    assert.deepEqual([second.language.value, second.theme.value], ['de', 'dark'])
    await second.load('ben')
    assert.deepEqual([second.language.value, second.theme.value], ['en', 'auto'])
    first.set({ language: 'de' })
    first.leave()
    assert.equal(new Preferences(browser, server().call, write).language.value, 'en')
  })
})
