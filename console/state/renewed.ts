// Where a file of the console is gone: the server has another version by now. A8.
import { t } from '../words/words.ts'
import type { Call } from '../api/call.ts'
import { type Browser, keep, kept } from './browser.ts'
import type { Drafts } from './drafts.ts'
import type { Status } from './status.ts'

const RELOADED = 'pimlet-reloaded'
/** Milliseconds in which the page is not loaded anew a second time. */
const PATIENCE = 60_000

interface Renewed {
  readonly call: Call
  readonly drafts: Drafts
  readonly browser: Browser
}

/**
 * Drafts are written down and the page is loaded anew, once. @returns whether it is: a fault of the file itself comes again with
 * each loading. @throws what a call throws, where the server does not answer
 */
export async function renewPage({ call, drafts, browser }: Renewed): Promise<boolean> {
  await call('GET /healthz')
  drafts.flush()
  if (browser.now() - Number(kept(browser.own, RELOADED) ?? 0) < PATIENCE) return false
  keep(browser.own, RELOADED, browser.now())
  browser.reload()
  return true
}

/** As `renewPage`, and where that does not help the status says so. Where the server does not answer, the page says so by itself. */
export async function tellMissing(console: Renewed & { readonly status: Status }): Promise<void> {
  const isRenewed = await renewPage(console).catch(() => true)
  const action = { title: t('place.reload'), run: () => console.browser.reload() }
  if (!isRenewed) console.status.complain(t('place.outdated'), action)
}
