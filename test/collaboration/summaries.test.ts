// Daily summaries by mail, through a real SMTP server. Contract 5 §7.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { HOUR, MINUTE, type TestClock } from '../helpers/clock.ts'
import { eventually } from '../helpers/puppet.ts'
import { make, makeShirt } from '../helpers/shirts.ts'
import type { Store } from '../../src/store/port.ts'
import { choose, messengerOf, openSummaries as open } from './summing.ts'
import { makePerson, say } from './talking.ts'

/** Several rounds of the duty. */
const someRounds = () => new Promise((resolve) => setTimeout(resolve, 250))
/** A day from the first summary on, which comes in an hour: that may be tomorrow. */
const dayAhead = (clock: TestClock, days: number): string =>
  new Date(clock.now().getTime() + HOUR + days * 24 * HOUR).toISOString().slice(0, 10)

describe('A daily summary', () => {
  it('comes once at the hour, with what is new and due, links, and no text of a comment', async (t) => {
    const { clock, sink, anna, ben, record, at, shop } = await open(t)
    await say(ben.client, record, `@[${anna.id}] a secret thought`)
    await make(ben.client, '/api/v1/assignments', {
      recordIds: [record],
      assigneeId: anna.id,
      dueOn: dayAhead(clock, 1),
    })
    await choose(anna, at())
    await someRounds()
    assert.equal(sink.mails.length, 0)
    clock.advance(HOUR)
    await eventually(async () => sink.mails.length === 1)
    const [mail] = sink.mails
    assert.deepEqual(mail?.to, ['anna@example.com'])
    assert.match(mail.text, /Linen shirt\S* is due on/)
    assert.match(mail.text, /Ben\S* mentioned you: \S*Linen shirt/)
    assert.match(mail.text, /Ben\S* assigned you/)
    assert.ok(mail.text.includes(`https://pim.example.com/console/records/${record}`))
    assert.ok(mail.text.includes('https://pim.example.com/console/account'))
    assert.equal(mail.headers.get('list-unsubscribe'), '<https://pim.example.com/console/account>')
    assert.doesNotMatch(mail.raw + mail.text, /secret thought/)
    await eventually(async () => (await messengerOf(shop.admin)).lastSentAt === clock.now().toISOString())
  })

  it('comes once a day, whatever hours a person chooses, and whoever else works', async (t) => {
    const { clock, sink, anna, ben, record, at } = await open(t)
    await say(ben.client, record, `@[${anna.id}] one`)
    await choose(anna, at())
    clock.advance(HOUR)
    await eventually(async () => sink.mails.length === 1)
    await say(ben.client, record, `@[${anna.id}] two`)
    for (const hour of [10, 11]) {
      await choose(anna, { ...at(hour), isOn: false })
      await choose(anna, at(hour))
      clock.advance(HOUR)
      await someRounds()
    }
    assert.equal(sink.attempts, 1)
    clock.advance(24 * HOUR)
    await eventually(async () => sink.mails.length === 2)
    assert.equal(sink.mails[1]!.text.match(/mentioned you/g)?.length, 1)
  })

  it('does not come where there is nothing to say, and tells of nothing twice', async (t) => {
    const { clock, sink, anna, ben, record, at } = await open(t)
    await choose(anna, at())
    clock.advance(HOUR)
    await someRounds()
    assert.equal(sink.attempts, 0)
    await say(ben.client, record, `@[${anna.id}] one`)
    clock.advance(24 * HOUR)
    await eventually(async () => sink.mails.length === 1)
    clock.advance(24 * HOUR)
    await someRounds()
    assert.equal(sink.attempts, 1)
  })

  it('leaves out kinds that are off, and what the person may not read at that moment', async (t) => {
    const { clock, sink, ben, record, at, shop } = await open(t)
    const clerk = await makePerson(shop, 'Clerk', 'role-clerk')
    await say(ben.client, record, `@[${clerk.id}] seen`, { attributeAlias: 'weight' })
    await say(ben.client, record, `@[${clerk.id}] hidden later`, { attributeAlias: 'name' })
    await make(ben.client, '/api/v1/assignments', {
      recordIds: [record],
      assigneeId: clerk.id,
      dueOn: dayAhead(clock, 1),
    })
    const role = (await send<{ attributePermissions: object }>(shop.admin, 'GET', '/api/v1/roles/role-clerk')).body
    const { 'sch-shirt': shirt, ...others } = role.attributePermissions as Record<string, object>
    const attributePermissions = { ...others, 'sch-shirt': { ...shirt, name: 'none' } }
    const changed = await send(shop.admin, 'PUT', '/api/v1/roles/role-clerk', { ...role, attributePermissions })
    assert.equal(changed.status, 200, changed.text)
    await choose(clerk, at(), ['dueTomorrow', 'assignment'])
    clock.advance(HOUR)
    await eventually(async () => sink.mails.length === 1)
    const { text } = sink.mails[0]!
    assert.equal(text.split('\n').filter((line) => line.startsWith('- ')).length, 1)
    assert.doesNotMatch(text, /Linen|Leinen|due|assigned/)
  })

  it('names 50 items, says how many more there are, and looks past work of kinds that are off', async (t) => {
    const { clock, sink, anna, ben, at, shop } = await open(t)
    const recordIds: string[] = []
    for (let n = 0; n < 110; n += 1) recordIds.push((await makeShirt(shop.admin, {})).id)
    const give = (ids: readonly string[], dueOn: string) =>
      make(ben.client, '/api/v1/assignments', { recordIds: ids, assigneeId: anna.id, dueOn })
    await give(recordIds, dayAhead(clock, -1))
    await give(recordIds.slice(0, 3), dayAhead(clock, 1))
    await choose(anna, at(), ['assignment'])
    clock.advance(HOUR)
    await eventually(async () => sink.mails.length === 1)
    const countLines = (text: string): number => text.split('\n').filter((line) => line.startsWith('- ')).length
    assert.equal(countLines(sink.mails[0]!.text), 50)
    assert.match(sink.mails[0]!.text, /\b63 more\b/)
    assert.match(sink.mails[0]!.headers.get('subject')!, /\b113\b/)
    await choose(anna, at(), ['assignment', 'overdue'])
    clock.advance(24 * HOUR)
    await eventually(async () => sink.mails.length === 2)
    // A day later these three are due today.
    assert.equal(countLines(sink.mails[1]!.text), 3)
  })

  it('is tried again later where the server is busy; the administrator reads why', async (t) => {
    const { clock, sink, anna, ben, record, at, shop } = await open(t)
    await say(ben.client, record, `@[${anna.id}] one`)
    await choose(anna, at())
    sink.behaviour = 'busy'
    clock.advance(HOUR)
    await eventually(async () => (await messengerOf(shop.admin)).lastFailure !== null)
    const { lastFailure } = await messengerOf(shop.admin)
    assert.match(lastFailure!.message, /127\.0\.0\.1:\d+ refused the message \(SMTP 451\)/)
    await someRounds()
    assert.equal(sink.attempts, 1)
    sink.behaviour = 'good'
    clock.advance(11 * MINUTE)
    await eventually(async () => sink.mails.length === 1)
    await eventually(async () => (await messengerOf(shop.admin)).lastFailure === null)
  })

  it('is not sent a second time by a server that took over from one that died while it sent', async (t) => {
    const { clock, sink, anna, ben, record, at, running } = await open(t)
    await say(ben.client, record, `@[${anna.id}] one`)
    await choose(anna, at())
    sink.behaviour = 'hangs'
    clock.advance(HOUR)
    await eventually(async () => sink.attempts === 1)
    const { clerk: _clerk, ...rest } = running.shop
    running.shop = { ...running.shop, ...(await rest.restart()) }
    sink.behaviour = 'good'
    await someRounds()
    assert.equal(sink.attempts, 1)
    clock.advance(24 * HOUR)
    await eventually(async () => sink.mails.length === 1)
    assert.match(sink.mails[0]!.text, /mentioned you/)
  })

  it('comes to others where the settings of one person are no longer taken', async (t) => {
    let store: Store | undefined
    const wrapStore = (opened: Store) => (store = opened)
    const { clock, sink, anna, ben, record, at, shop } = await open(t, {}, { wrapStore })
    await say(shop.admin, record, `@[${anna.id}] @[${ben.id}]`)
    await choose(anna, at())
    await choose(ben, at())
    await store!.transaction(async (tx) => {
      const settings = await tx.noticeSettings.get(anna.id)
      await tx.noticeSettings.update({ ...settings!, summary: { ...settings!.summary!, timeZone: 'Mars/Base' } })
    })
    clock.advance(HOUR)
    await eventually(async () => sink.mails.length === 1)
    await someRounds()
    assert.equal(sink.attempts, 1)
    assert.match(sink.mails[0]!.text, /Hello \S*Ben/)
  })

  it('ends with the person, and waits for one who is disabled', async (t) => {
    const { clock, sink, anna, ben, record, at, shop } = await open(t)
    await say(ben.client, record, `@[${anna.id}] one`)
    await choose(anna, at())
    await send(shop.admin, 'PATCH', `/api/v1/users/${anna.id}`, { disabled: true })
    clock.advance(HOUR)
    await someRounds()
    await send(shop.admin, 'PATCH', `/api/v1/users/${anna.id}`, { disabled: false })
    clock.advance(24 * HOUR)
    await eventually(async () => sink.mails.length === 1)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/users/${anna.id}`)).status, 204)
    clock.advance(24 * HOUR)
    await someRounds()
    assert.equal(sink.attempts, 1)
  })
})
