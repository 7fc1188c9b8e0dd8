// When summaries are due, and what they say. Contract 5 §7.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import {
  localDay,
  MailAddress,
  MAX_ATTEMPTS,
  nextSummaryAt,
  retryAt,
  SummaryInput,
} from '../../../src/collaboration/rules/summary.ts'
import { type SummaryItem, writeSummary, writeTrial } from '../../../src/collaboration/rules/summary-text.ts'
import { readSummaryWords } from '../../../src/collaboration/summary-files.ts'
import { NOTICE_KINDS } from '../../../src/collaboration/rules/notice.ts'

const HOUR = 3_600_000
const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'America/St_Johns',
)
const hour = fc.integer({ min: 0, max: 23 })
const moment = fc.date({ min: new Date('2024-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
const next = (now: string, timeZone: string, at: number): string =>
  nextSummaryAt(new Date(now), { hour: at, timeZone }).toISOString()

describe('The next summary', () => {
  it('is within a day and some hours, on a full local hour or where clocks have skipped the hour', () => {
    fc.assert(
      fc.property(moment, zone, hour, (now, timeZone, at) => {
        const due = nextSummaryAt(now, { hour: at, timeZone })
        assert.ok(due > now && due.getTime() - now.getTime() <= 26 * HOUR)
        const shown = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
        const [h, m] = shown.format(due).split(':').map(Number)
        assert.ok((h === at && m === 0) || (h! > at && h! <= at + 1), `${due.toISOString()} is ${h}:${m}`)
        // The one after it is on another day.
        const second = nextSummaryAt(due, { hour: at, timeZone })
        assert.notEqual(localDay(second, timeZone), localDay(due, timeZone))
      }),
      { numRuns: 300 },
    )
  })

  it('follows the clocks of the person', () => {
    assert.equal(next('2026-03-01T06:59:59Z', 'Europe/Berlin', 8), '2026-03-01T07:00:00.000Z')
    assert.equal(next('2026-03-01T07:00:00Z', 'Europe/Berlin', 8), '2026-03-02T07:00:00.000Z')
    // In the night of 29 March there is no 2 o'clock, in the night of 25 October there are two.
    assert.equal(next('2026-03-28T12:00:00Z', 'Europe/Berlin', 2), '2026-03-29T01:00:00.000Z')
    assert.equal(next('2026-10-24T12:00:00Z', 'Europe/Berlin', 2), '2026-10-25T00:00:00.000Z')
    assert.equal(next('2026-10-25T00:00:00Z', 'Europe/Berlin', 2), '2026-10-26T01:00:00.000Z')
  })

  it('is retried later and later on the same day, and then no more', () => {
    const when = { hour: 8, timeZone: 'UTC' }
    const now = new Date('2026-03-01T08:00:00Z')
    const pauses = Array.from({ length: MAX_ATTEMPTS }, (_, index) => retryAt(now, index + 1, when)?.toISOString())
    assert.deepEqual(pauses, [
      '2026-03-01T08:10:00.000Z',
      '2026-03-01T08:20:00.000Z',
      '2026-03-01T08:40:00.000Z',
      '2026-03-01T09:20:00.000Z',
      '2026-03-01T10:40:00.000Z',
      undefined,
    ])
    assert.equal(retryAt(new Date('2026-03-01T23:55:00Z'), 1, when), undefined)
  })
})

describe('The settings of a summary', () => {
  it('have an address without anything that could begin a header', () => {
    for (const good of ['anna@example.com', 'a.b+c@sub.example.org', 'änna@bücher.example', 'a@localhost'])
      assert.ok(v.is(MailAddress, good), good)
    for (const bad of [
      '',
      'anna',
      '@x',
      'a@',
      'a b@x',
      'a@x\r\nBcc: b@y',
      '<a@x>',
      'a@x,b@y',
      `${'a'.repeat(65)}@x`,
      `a@${'x'.repeat(260)}`,
    ])
      assert.ok(!v.is(MailAddress, bad), bad)
  })

  it('have an hour and a time zone that exist', () => {
    const good = { isOn: true, hour: 8, timeZone: 'Europe/Berlin' }
    assert.ok(v.is(SummaryInput, good))
    for (const bad of [
      { hour: 24 },
      { hour: -1 },
      { hour: 7.5 },
      { timeZone: 'Mars/Olympus' },
      { timeZone: '' },
      { language: 'x y' },
    ])
      assert.ok(!v.is(SummaryInput, { ...good, ...bad }), JSON.stringify(bad))
  })
})

const item = (fields: Partial<SummaryItem> = {}): SummaryItem => ({
  kind: 'mention',
  by: 'Ben',
  label: 'Shirt',
  count: 1,
  dueOn: null,
  path: '/console/records/ent-1',
  ...fields,
})
const known = readSummaryWords()
const base = { name: 'Anna', words: known.get('en')!, more: 0, publicUrl: 'https://pim.example.com/x' }

describe('The text of a summary', () => {
  it('has a line for each kind in each language, and the way to switch it off', () => {
    for (const words of known.values()) {
      const kinds = NOTICE_KINDS.map((kind) => item({ kind, dueOn: '2026-03-01' }))
      const { text, html, subject, settingsUrl } = writeSummary({ ...base, words, work: [], news: kinds, more: 2 })
      assert.equal(settingsUrl, 'https://pim.example.com/x/console/account')
      assert.ok(text.includes(settingsUrl) && html.includes(settingsUrl))
      assert.equal(text.split('\n').filter((line) => line.startsWith('- ')).length, NOTICE_KINDS.length)
      assert.match(subject, /10/)
      assert.doesNotMatch(text + html, /undefined|null|[{}]/)
    }
  })

  it('says where to switch it off where the server does not know its address, and links to nothing', () => {
    const { text, html, settingsUrl } = writeSummary({ ...base, publicUrl: null, work: [], news: [item()] })
    assert.equal(settingsUrl, null)
    assert.match(text, /Switch it off in pimlet/)
    assert.doesNotMatch(html, /href/)
  })

  it('takes any name as text: no markup, no further line, nothing that turns the lines around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const named = `<img src=x onerror="1">\r\n- forged\u202e${name}`
        const { text, html } = writeSummary({
          ...base,
          name: named,
          work: [],
          news: [item({ by: named, label: named })],
        })
        assert.doesNotMatch(html, /<img|<script/i)
        assert.equal(text.split('\n').filter((line) => line.startsWith('- ')).length, 1)
        assert.doesNotMatch(text, /[\u202a-\u202e\u2066\u2067]/)
      }),
    )
  })

  it('of a trial says that it is one', () => {
    for (const words of known.values()) assert.ok(writeTrial({ ...base, words }).text.includes(words.trial.text))
  })
})
