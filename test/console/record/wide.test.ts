// A record of 200 attributes in 40 languages with hostile words, in both languages of the console: it opens quickly,
// the layout holds and nothing runs (journey 17).
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
const RTL = '\u202Eعربي שלום\u202E'
const LONG = 'Donaudampfschiff'.repeat(625)
const TYPES = [
  'text',
  'richText',
  'number',
  'boolean',
  'date',
  'dateTime',
  'url',
  'json',
  'reference',
  'references',
] as const

/** Without painting, which another thread does if there is a graphics card. */
const SPENT = new Set(['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'])

const attributes = Array.from({ length: 200 }, (_, at) => ({
  alias: `attribute${at}`,
  name: at === 3 ? MARKUP : at === 4 ? 'W'.repeat(150) : `Attribute ${at}`,
  dataType: at < 6 ? 'text' : TYPES[at % TYPES.length],
  dimensionIds: at % 3 === 0 ? ['language'] : [],
  requiredInStateIds: at % 5 === 0 ? ['state-draft'] : [],
  description: at === 5 ? MARKUP : '',
}))

async function fill({ admin }: TestServer): Promise<void> {
  const segments = Array.from({ length: 40 }, (_, at) => ({
    id: `l${at}`,
    name: at === 1 ? LONG.slice(0, 180) : `Language ${at}`,
  }))
  await make(admin, '/api/v1/dimensions', { id: 'language', name: 'Language', segments })
  const aliases = (from: number, to: number) => attributes.slice(from, to).map(({ alias }) => alias)
  await make(admin, '/api/v1/schemas', {
    id: 'wide',
    name: MARKUP,
    labelAttribute: 'attribute0',
    groups: [
      { id: 'one', name: LONG.slice(0, 180), attributeAliases: aliases(0, 60) },
      { id: 'two', name: RTL, attributeAliases: aliases(60, 120) },
    ],
    attributes,
  })
  const one = (value: unknown, scope = {}) => [{ scope, value }]
  await make(admin, '/api/v1/records', {
    id: 'wide',
    schemaId: 'wide',
    values: {
      attribute0: one(MARKUP),
      attribute1: one(LONG),
      attribute2: one(RTL),
      attribute3: one('x', { language: 'l1' }),
      attribute6: one('https://example.com/' + 'a'.repeat(500)),
      attribute7: one({ [MARKUP]: [1, 2, 3] }),
    },
  })
}

describe('A wide record', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  for (const locale of ['en-GB', 'de-DE'] as const)
    it(`holds its layout and runs nothing, in ${locale}`, async (t) => {
      const { page } = await suite().visit(t, { locale, path: '/console/records/wide?scope=language:l0' })
      await page.locator('[data-alias=attribute199]').waitFor()
      await assertSeen(page, 'record-wide')
      for (const path of [
        'records/wide?with=language:l1&scope=language:l0',
        'records/wide?tab=history',
        'records?schema=wide&open=wide',
      ]) {
        await page.goto(`${suite().server.url}/console/${path}`)
        await page.locator('.record [role=tabpanel] *').first().waitFor()
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
        if (locale === 'en-GB' && path.includes('tab=')) await assertSeen(page, 'record-wide-history')
        assert.doesNotMatch(await page.title(), /^\d$/)
        assert.equal(await page.locator('img, a[href^="javascript:" i]').count(), 0)
      }
    })

  it('takes some milliseconds of the main thread for a key', async (t) => {
    const { page, context } = await suite().visit(t, { path: '/console/records/wide?scope=language:l0' })
    const field = page.locator('[data-alias=attribute5] textarea')
    await field.click()
    await field.pressSequentially('warm up')
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      const parts = metrics.filter(({ name }) => SPENT.has(name)).map(({ value }) => value)
      return parts.reduce((sum, value) => sum + value, 0) * 1000
    }
    const keys = 20
    const before = await spent()
    // Keys at typing speed: missing values are counted between the keys.
    await field.pressSequentially('a'.repeat(keys), { delay: 80 })
    const each = ((await spent()) - before) / keys
    t.diagnostic(`${each.toFixed(1)} ms a key`)
    // The promise is 8, on an idle machine.
    assert.ok(each < 16, `${each} ms a key`)
  })
})
