// The browser that the console is tested in: Debian's Chromium, or what PIMLET_CHROMIUM names. Its headless shell where it is there: the
// same engine without windows, for a fraction of the processor time. Where there is no browser, tests in it are skipped, saying so, but
// in CI, which installs it (`.ci/install-chromium`), they fail. Home of playwright-core.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const FILES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const FILE = process.env['PIMLET_CHROMIUM'] ?? FILES.find((file) => existsSync(file)) ?? FILES[0]!

/** Another host that leads to this machine, without what browsers grant to 127.0.0.1: no secure context. */
export const OTHER_HOST = 'pimlet.test'

/** Why tests in the browser are skipped, for `describe`; false: they are not. */
export const withoutBrowser: string | false =
  existsSync(FILE) || process.env['CI'] !== undefined ? false : `there is no ${FILE}: run .ci/install-chromium`

export function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`]
  return chromium.launch({ executablePath: FILE, args })
}
