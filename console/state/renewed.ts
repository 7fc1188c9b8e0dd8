// Handles a missing file of the console: the server has another version now. A8.
import { t } from '../words/words.ts'
import type { Call } from '../api/call.ts'
import { type Browser, keep, kept } from './browser.ts'
import type { Drafts } from './drafts.ts'
import type { Status } from './status.ts'

const RELOADED = 'pimlet-reloaded'
/** Milliseconds in which the page does not reload a second time. */
const PATIENCE = 60_000

interface Renewed {
  readonly call: Call
  readonly drafts: Drafts
  readonly browser: Browser
}

/**
 * Stores drafts and reloads the page, once. @returns whether the page reloads: a faulty file would fail again after
 * each reload. @throws the errors of a call, if the server does not answer
 */
export async function renewPage({ call, drafts, browser }: Renewed): Promise<boolean> {
  await call('GET /healthz')
  drafts.flush()
  if (browser.now() - Number(kept(browser.own, RELOADED) ?? 0) < PATIENCE) return false
  keep(browser.own, RELOADED, browser.now())
  browser.reload()
  return true
}

/** Calls `renewPage`; if that does not help, shows a message. The offline bar handles a server that does not answer. */
export async function tellMissing(console: Renewed & { readonly status: Status }): Promise<void> {
  const isRenewed = await renewPage(console).catch(() => true)
  const action = { title: t('place.reload'), run: () => console.browser.reload() }
  if (!isRenewed) console.status.complain(t('place.outdated'), action)
}
