// The console in a browser, on a server of the test's own with every response checked: one browser and one server for a suite, a
// context for each visit. Whatever a journey does, the standing checks of `watch.ts` hold at its end.
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
  /** Signed in from the beginning; null: nobody is. The administrator where it does not say. */
  readonly as?: { readonly username: string; readonly password: string } | null
  /** Of the browser. */
  readonly locale?: 'en-GB' | 'de-DE'
  /** Behind the address of the server: the start page of the console where it does not say. */
  readonly path?: string
  /** In place of that of the server, such as `http://pimlet.test:PORT`. */
  readonly origin?: string
}

export interface Visit extends Watch {
  readonly page: Page
  readonly context: BrowserContext
}

export interface ConsoleSuite {
  readonly server: TestServer
  readonly browser: Browser
  /** Opens the console; at the end of the test it is closed, and looked at what went wrong. */
  readonly visit: (t: TestContext, options?: VisitOptions) => Promise<Visit>
}

/** A program that was built, to be tested in place of the sources. */
const PROGRAM = process.env['TEST_PROGRAM']
const ADMIN = { username: 'admin', password: ADMIN_PASSWORD }

/** To be called in a `describe` that is skipped `withoutBrowser`. */
export function consoleInSuite(
  fill: (server: TestServer) => Promise<void> = ({ admin }) => makeDemoCatalogue(admin),
  options: ServerOptions = {},
): () => ConsoleSuite {
  return sharedInSuite(async (suite) => {
    const opened = openBrowser()
    const server = await (PROGRAM === undefined ? startServer(options) : startProgram(PROGRAM, options))
    suite.after(() => server.stop())
    const browser = await opened
    // The sources are built when the page is first asked for: no visit waits for that.
    await Promise.all([fill(server), fetch(`${server.url}/console/`)])
    return { server, browser, visit: (t, how) => visit(t, browser, server.url, how) }
  })
}

/** A visit to any server. */
export async function visit(t: TestContext, browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { as = ADMIN, locale = 'en-GB', path = '/console/', origin = url } = options
  const context = await browser.newContext({
    locale,
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1440, height: 900 },
    // What moves is looked at when it stands.
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE)
  // What runs the tests gives names to functions by this, in functions for the page as well.
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

/** As a tab that was signed in before it was loaded anew. The form is what its own journey is about. */
async function signInBefore(context: BrowserContext, url: string, as: object): Promise<void> {
  const { body } = await send({ url, headers: {} }, 'POST', '/api/v1/auth/login', as)
  await context.addInitScript((session) => {
    // A page that is still empty has no storage.
    if (location.protocol === 'about:') return
    // The token lives in the tab: once it is gone there, it stays so.
    const isEmptyPage = location.protocol === 'about:'
    if (isEmptyPage || sessionStorage.getItem('pimlet-test-begun') !== null) return
    sessionStorage.setItem('pimlet-test-begun', 'true')
    sessionStorage.setItem('pimlet-session', session)
  }, JSON.stringify(body))
}
