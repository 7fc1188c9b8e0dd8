// The standing checks of every page: no error in the browser's console except announced answers, no violation of the
// page's policy, no request to another host.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'

export interface Watch {
  /** Announces answers with this status from now on: Chromium logs each 4xx as an error. */
  readonly expectStatus: (status: number) => void
  /** Allows failed connections from now on. */
  readonly expectNoServer: () => void
  /** @throws AssertionError that names each fault */
  readonly assertClean: () => void
}

const FAILED = /^Failed to load resource: (?:the server responded with a status of (\d+)|net::(\w+))/

/** `host`: with the port. */
export async function watchPages(context: BrowserContext, host: string): Promise<Watch> {
  const faults: string[] = []
  const expected = new Set<string>()
  await context.exposeBinding('pimletTestRefused', (_source, what: string) => faults.push(`policy refused: ${what}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { pimletTestRefused } = window as unknown as { pimletTestRefused: (what: string) => void }
      pimletTestRefused(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => faults.push(`fault: ${error.stack ?? error.message}`))
    page.on('console', (message) => {
      if (message.type() !== 'error') return
      const [, status, code] = FAILED.exec(message.text()) ?? []
      const isExpected = expected.has(status ?? '') || (code !== undefined && expected.has('none'))
      if (!isExpected) faults.push(`console: ${message.text()} (${message.location().url})`)
    })
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.host !== host && !['data:', 'blob:'].includes(url.protocol))
        faults.push(`asked another host: ${url.href}`)
    })
  }
  context.on('page', watch)
  return {
    expectStatus: (status) => expected.add(String(status)),
    expectNoServer: () => expected.add('none'),
    assertClean: () => assert.deepEqual(faults, []),
  }
}
