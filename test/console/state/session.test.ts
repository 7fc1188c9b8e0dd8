// The signed-in user, in one tab and in several.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Session, type SessionService } from '../../../console/state/session.ts'
import type { Token } from '../../../console/state/tab-messages.ts'
import { fakeBrowser, type FakeBrowser, makeTabs, settle } from '../fake-browser.ts'

const DAY = 24 * 60 * 60 * 1000

function service(browser: FakeBrowser) {
  const ended: string[] = []
  let count = 0
  const token = (username: string): Token => ({
    accessToken: `${username}-${(count += 1)}`,
    expiresAt: new Date(browser.now() + DAY).toISOString(),
    user: { id: `usr-${username}`, username, name: username, roleId: 'role-editor' },
  })
  const made: SessionService = {
    login: async (username) => token(username),
    refresh: async (old) => token(old.split('-')[0]!),
    logout: async (old) => void ended.push(old),
  }
  return { made, ended }
}

async function signedIn(browser: FakeBrowser, username = 'anna') {
  const { made, ended } = service(browser)
  const session = new Session(browser, made)
  const started = session.start()
  await browser.pass(300)
  await started
  if (session.state.value === 'out') await session.signIn(username, 'secret')
  return { session, ended }
}

describe('A session', () => {
  it('begins with nobody, and is taken up when the tab is reloaded', async () => {
    const browser = fakeBrowser()
    const { session } = await signedIn(browser)
    assert.equal(session.token, 'anna-1')
    const again = new Session(browser, service(browser).made)
    await again.start()
    assert.equal(again.state.value, 'in')
    assert.equal(again.token, 'anna-1')
  })

  it('is given by another tab, so that a new tab asks nobody', async () => {
    const tabs = makeTabs()
    await signedIn(tabs.open())
    const { session } = await signedIn(tabs.open())
    assert.equal(session.token, 'anna-1')
  })

  it('is renewed at half its life by one tab, which tells the others', async () => {
    const tabs = makeTabs()
    const [one, other] = [tabs.open(), tabs.open()]
    const first = await signedIn(one)
    const second = await signedIn(other)
    keepBusy(one, DAY / 2 + 60_000)
    await one.pass(DAY / 2 + 60_000)
    assert.equal(first.session.token, 'anna-2')
    assert.equal(second.session.token, 'anna-2')
  })

  it('A7 waits for another token after a refused one, and everybody goes on when somebody signs in', async () => {
    const browser = fakeBrowser()
    const { session } = await signedIn(browser)
    const waiting = [session.renewedToken('anna-1'), session.renewedToken('anna-1')]
    await browser.pass(300)
    assert.equal(session.state.value, 'over')
    await session.signIn('anna', 'secret')
    assert.deepEqual(await Promise.all(waiting), ['anna-2', 'anna-2'])
    assert.equal(browser.reloads, 0)
  })

  it('A7 takes the token that another tab has got meanwhile', async () => {
    const tabs = makeTabs()
    const [one, other] = [tabs.open(), tabs.open()]
    const first = await signedIn(one)
    const second = await signedIn(other)
    await second.session.signIn('anna', 'secret')
    await settle()
    assert.equal(await first.session.renewedToken('anna-0'), second.session.token)
  })

  it('A7 of somebody else reloads the page', async () => {
    const browser = fakeBrowser()
    const { session } = await signedIn(browser)
    void session.renewedToken('anna-1')
    await browser.pass(300)
    await session.signIn('ben', 'secret')
    assert.equal(browser.reloads, 1)
    const again = new Session(browser, service(browser).made)
    await again.start()
    assert.equal(again.user.value?.username, 'ben')
  })

  it('ends after an hour without input, not before', async () => {
    const browser = fakeBrowser()
    const { session, ended } = await signedIn(browser)
    await browser.pass(59 * 60_000)
    session.checkIdleness()
    assert.equal(session.state.value, 'in')
    browser.emit('input')
    await browser.pass(59 * 60_000)
    session.checkIdleness()
    assert.equal(session.state.value, 'in')
    await browser.pass(2 * 60_000)
    session.checkIdleness()
    assert.equal(session.state.value, 'over')
    assert.deepEqual(ended, ['anna-1'])
  })

  it('an hour without input ends it also for whoever comes back by reloading the page', async () => {
    const browser = fakeBrowser()
    await signedIn(browser)
    await browser.pass(61 * 60_000)
    const again = new Session(browser, service(browser).made)
    const started = again.start()
    await browser.pass(300)
    await started
    assert.equal(again.state.value, 'out')
  })

  it('is signed out in all tabs', async () => {
    const tabs = makeTabs()
    const [one, other] = [tabs.open(), tabs.open()]
    const first = await signedIn(one)
    const second = await signedIn(other)
    await first.session.signOut()
    await settle()
    assert.deepEqual(first.ended, ['anna-1'])
    assert.equal(second.session.token, null)
    assert.deepEqual([one.reloads, other.reloads], [1, 1])
    assert.deepEqual([first.session.ended.aborted, second.session.ended.aborted], [true, true])
    assert.equal(one.own.getItem('pimlet-session'), null)
    assert.equal(other.own.getItem('pimlet-session'), null)
  })

  it('what another page of the same host posts is not taken for a token', async () => {
    const browser = fakeBrowser()
    const { session } = await signedIn(browser)
    browser.openChannel('pimlet').tell({ kind: 'token', token: { accessToken: 7 } })
    await settle()
    assert.equal(session.token, 'anna-1')
  })
})

/** The user types all the time. */
function keepBusy(browser: FakeBrowser, milliseconds: number) {
  for (let at = 0; at < milliseconds; at += 20 * 60_000) browser.after(at, () => browser.emit('input'))
}
