// The browser for tests of the console: Debian's Chromium, or the one that PIMLET_CHROMIUM names. Its headless shell is
// preferred: the same engine without windows takes a fraction of the processor time. Home of playwright-core.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const FILES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const FILE = process.env['PIMLET_CHROMIUM'] ?? FILES.find((file) => existsSync(file)) ?? FILES[0]!

/** Another host name for this machine, without the privileges of 127.0.0.1: an insecure context. */
export const OTHER_HOST = 'pimlet.test'

/** The reason why browser tests are skipped; false: they run. */
export const withoutBrowser: string | false = existsSync(FILE)
  ? false
  : 'Chromium is not installed: .ci/install-packages'

export function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`]
  return chromium.launch({ executablePath: FILE, args })
}
