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
    await preferences.load()
    preferences.set({ theme: 'dark' })
    await browser.pass(1000)
    assert.equal('language' in (sent[0] as { console: object }).console, false)
    const german = new Preferences(Object.assign(fakeBrowser(), { languages: ['de-DE'] }), call, write)
    await german.load()
    assert.deepEqual([german.language.value, german.theme.value], ['de', 'dark'])
    preferences.set({ language: 'en' })
    await browser.pass(1000)
    await german.load()
    assert.equal(german.language.value, 'en')
  })
})
