// The console and the reference behind nginx, below a path. The proxy either passes the path on (--base-path) or cuts
// it off (X-Forwarded-Prefix). Contract 3 §12.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { ADMIN_PASSWORD, startServer, type TestServer } from '../helpers/server.ts'
import { lacksNginx, type Nginx, startNginx } from '../helpers/nginx.ts'
import { openBrowser } from './helpers/browser.ts'
import { makeDemoCatalogue } from './helpers/catalogue.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { visit } from './helpers/console.ts'

const locations = (whole: string, cut: string) => `
    location /whole/ { proxy_pass ${whole}; }
    location /cut/ { proxy_pass ${cut}/; proxy_set_header X-Forwarded-Prefix /cut; }`

describe('Behind nginx', { skip: lacksNginx() || withoutBrowser }, () => {
  let servers: readonly TestServer[]
  let nginx: Nginx
  let browser: Browser
  before(async () => {
    servers = await Promise.all([startServer({ basePath: '/whole' }), startServer({ trustedProxies: ['127.0.0.1'] })])
    const [whole, cut] = servers as [TestServer, TestServer]
    nginx = await startNginx(locations(new URL(whole.url).origin, cut.url))
    browser = await openBrowser()
    await Promise.all(servers.map(({ admin }) => makeDemoCatalogue(admin)))
  })
  after(async () => {
    await nginx.stop()
    await Promise.all(servers.map((server) => server.stop()))
  })

  for (const prefix of ['/whole', '/cut'])
    it(`people sign in, open a record, load it again, and go back, below ${prefix}`, async (t) => {
      const { page } = await visit(t, browser, nginx.url, { as: null, path: `${prefix}/` })
      await page.getByLabel('Username').fill('admin')
      await page.getByLabel('Password').fill(ADMIN_PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
      assert.equal(new URL(page.url()).pathname, `${prefix}/console/`)
      await page.goto(`${nginx.url}${prefix}/console/records/tea-jasmine`)
      await page.getByRole('heading', { name: 'Jasmine', level: 1 }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Jasmine', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Exports' }).first().click()
      await page.getByRole('heading', { name: 'Exports', level: 1 }).waitFor()
      assert.equal(new URL(page.url()).pathname, `${prefix}/console/exports`)
      await page.goBack()
      await page.getByRole('heading', { name: 'Jasmine', level: 1 }).waitFor()
    })

  it('two workspaces of one host keep their sign-ins apart', async (t) => {
    const { page } = await visit(t, browser, nginx.url, { as: null, path: '/whole/' })
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(ADMIN_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.goto(`${nginx.url}/cut/console/`)
    await page.getByLabel('Username').waitFor()
    await page.goto(`${nginx.url}/whole/console/`)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })

  it('the reference reads the document, and shows requests with the path', async (t) => {
    for (const prefix of ['/whole', '/cut']) {
      const { page } = await visit(t, browser, nginx.url, { as: null, path: `${prefix}/docs` })
      await page.getByLabel('Username').fill('admin')
      await page.getByLabel('Password').fill(ADMIN_PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Open all' }).click()
      await page.getByText(`${nginx.url}${prefix}/api/v1/records`).first().waitFor({ state: 'attached' })
      const guide = await page.getByRole('link', { name: 'Searching' }).getAttribute('href')
      assert.equal(guide, `${prefix}/docs/guides/search`)
    }
  })
})
