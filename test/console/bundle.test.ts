// The released console: from the bundle, in its own process, compressed at build time.
// A long file: `npm run test:all` runs it. In landing, the executable shows its console in a browser.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { Response } from 'playwright-core'
import { makeBundle } from '../helpers/program.ts'
import { sharedInSuite } from '../helpers/shared-in-suite.ts'
import { startServerProcess } from '../helpers/server-process.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { makeDemoCatalogue } from './helpers/catalogue.ts'
import { openBrowser } from './helpers/browser.ts'
import { OTHER_HOST, withoutBrowser } from './helpers/chromium.ts'
import { visit } from './helpers/console.ts'

/** The settings of `startServerProcess`. */
const ADMIN = { username: 'admin', password: 'for this test' }

describe('The console of the bundle', { skip: withoutBrowser }, () => {
  const suite = sharedInSuite(async (lifetime) => {
    const directory = makeTempDirectory()
    const opened = openBrowser()
    await makeBundle(directory)
    const server = await startServerProcess(makeTempDirectory(), [], path.join(directory, 'pimlet.cjs'))
    lifetime.after(async () => void (await server.kill()))
    await makeDemoCatalogue(server.admin)
    return { browser: await opened, url: server.admin.url }
  })

  it('works, and comes as small as the browser takes it: brotli from the machine itself, gzip without encryption', async (t) => {
    const { browser, url } = suite()
    const cases = [
      [url, 'br'],
      [url.replace('127.0.0.1', OTHER_HOST), 'gzip'],
    ] as const
    for (const [origin, coding] of cases) {
      const { page } = await visit(t, browser, url, { as: null, origin, path: '/docs' })
      const codings: (string | undefined)[] = []
      page.on('response', (answer: Response) => {
        if (/\/-\/(ahead|chunk|console)-\w+\.(js|css)$/.test(answer.url()))
          codings.push(answer.headers()['content-encoding'])
      })
      await page.goto(`${origin}/`)
      await page.getByLabel('Username').fill(ADMIN.username)
      await page.getByLabel('Password').fill(ADMIN.password)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation').waitFor()
      assert.deepEqual(codings, [coding, coding, coding])
    }
  })
})
