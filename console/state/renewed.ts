// Where a file of the console is gone: the server has another version by now. A8.
import { keep, kept } from './browser.ts'
import type { Console } from './console.ts'

const RELOADED = 'pimlet-reloaded'
/** Milliseconds in which the page is not loaded anew a second time. */
const PATIENCE = 60_000

/**
 * Drafts are written down and the page is loaded anew, once. @returns whether it is: a fault of the file itself comes again with
 * each loading. @throws what a call throws, where the server does not answer
 */
export async function renewPage({ call, drafts, browser }: Console): Promise<boolean> {
  await call('GET /healthz')
  drafts.flush()
  if (browser.now() - Number(kept(browser.own, RELOADED) ?? 0) < PATIENCE) return false
  keep(browser.own, RELOADED, browser.now())
  browser.reload()
  return true
}
