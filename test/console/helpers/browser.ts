// The browser that all tests of a process share: contexts keep them apart.
import type { Browser } from 'playwright-core'
import { atEndOfProcess } from '../../helpers/end-of-process.ts'
import { launchBrowser } from './chromium.ts'

let launched: Promise<Browser> | undefined

/** It is closed when the process ends; whoever opens a context in it closes that. */
export function openBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  return launched
}

atEndOfProcess(async () => {
  const browser = await launched?.catch(() => undefined)
  await browser?.close()
})
