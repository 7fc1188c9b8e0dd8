// The browser that all tests of a process share: each test has its own context.
import type { Browser } from 'playwright-core'
import { atEndOfProcess } from '../../helpers/end-of-process.ts'
import { launchBrowser } from './chromium.ts'

let launched: Promise<Browser> | undefined

/** The browser closes with the process; every test closes its own context. */
export function openBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  return launched
}

atEndOfProcess(async () => {
  const browser = await launched?.catch(() => undefined)
  await browser?.close()
})
