// The console in a browser, on the test's own server with every response checked. A suite has one browser and one
// server, and a context for each visit. The standing checks of `watch.ts` run at the end of every journey.
import type { TestContext } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { PATIENCE } from '../../helpers/puppet.ts'
import { ADMIN_PASSWORD, type ServerOptions, startServer, type TestServer } from '../../helpers/server.ts'
import { startProgram } from '../../helpers/server-program.ts'
import { sharedInSuite } from '../../helpers/shared-in-suite.ts'
import { makeDemoCatalogue } from './catalogue.ts'
import { openBrowser } from './browser.ts'
import { type Watch, watchPages } from './watch.ts'

export interface VisitOptions {
  /** The signed-in user; null: nobody. The default is the administrator. */
  readonly as?: { readonly username: string; readonly password: string } | null
  /** The locale of the browser. */
  readonly locale?: 'en-GB' | 'de-DE' | 'fr-FR'
  /** The path behind the server's address; the default is the console's start page. */
  readonly path?: string
  /** Replaces the server's address, such as `http://pimlet.test:PORT`. */
  readonly origin?: string
  /** A touch screen of this size, in place of a desktop. */
  readonly phone?: { readonly width: number; readonly height: number }
}

export interface Visit extends Watch {
  readonly page: Page
  readonly context: BrowserContext
}

export interface ConsoleSuite {
  readonly server: TestServer
  readonly browser: Browser
  /** Opens the console; the end of the test closes it and checks for faults. */
  readonly visit: (t: TestContext, options?: VisitOptions) => Promise<Visit>
}

/** A built program, tested in place of the sources. */
const PROGRAM = process.env['TEST_PROGRAM']
const ADMIN = { username: 'admin', password: ADMIN_PASSWORD }

/** Call this in a `describe` that is skipped `withoutBrowser`. */
export function consoleInSuite(
  fill: (server: TestServer) => Promise<void> = ({ admin }) => makeDemoCatalogue(admin),
  options: ServerOptions = {},
): () => ConsoleSuite {
  return sharedInSuite(async (suite) => {
    const opened = openBrowser()
    const server = await (PROGRAM === undefined ? startServer(options) : startProgram(PROGRAM, options))
    suite.after(() => server.stop())
    const browser = await opened
    // The sources are built before the first visit, so that no visit waits for the build.
    await Promise.all([fill(server), fetch(`${server.url}/console/`)])
    return { server, browser, visit: (t, how) => visit(t, browser, server.url, how) }
  })
}

/** A visit to any server. */
export async function visit(t: TestContext, browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { as = ADMIN, locale = 'en-GB', path = '/console/', origin = url, phone } = options
  const context = await browser.newContext({
    locale,
    timezoneId: 'Europe/Berlin',
    viewport: phone ?? { width: 1440, height: 900 },
    ...(phone === undefined ? {} : { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
    // Animations are disabled, so that checks see the final state.
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE)
  // The test runner adds calls of this helper to functions, also to functions that run in the page.
  await context.addInitScript({ content: 'globalThis.__name = (value) => value' })
  const watch = await watchPages(context, new URL(origin).host)
  if (as !== null) await signInBefore(context, url, as)
  t.after(async () => {
    await context.close()
    watch.assertClean()
  })
  const page = await context.newPage()
  await page.goto(origin + path)
  return { page, context, ...watch }
}

/** Like a reloaded tab that was signed in before. The sign-in form has its own journey. */
async function signInBefore(context: BrowserContext, url: string, as: object): Promise<void> {
  const { body } = await send({ url, headers: {} }, 'POST', '/api/v1/auth/login', as)
  await context.addInitScript((session) => {
    // An empty page has no storage. The token lives in the tab: a removed token must not return.
    const isEmptyPage = location.protocol === 'about:'
    if (isEmptyPage || sessionStorage.getItem('pimlet-test-begun') !== null) return
    sessionStorage.setItem('pimlet-test-begun', 'true')
    sessionStorage.setItem('pimlet-session', session)
  }, JSON.stringify(body))
}
