// The foundation of every journey in the browser: the standing checks detect faults.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../helpers/puppet.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertFits, assertSeen } from './helpers/seen.ts'
import { type Watch, watchPages } from './helpers/watch.ts'

/** Returns the faults that the checks report. */
function faultsOf(watch: Watch): string {
  try {
    watch.assertClean()
    return ''
  } catch (error) {
    return String(error)
  }
}

describe('The standing checks', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => {})

  it('see faults, refused content, other hosts and answers that nobody announced', async () => {
    const { browser, server } = suite()
    const context = await browser.newContext()
    const watch = await watchPages(context, new URL(server.url).host)
    const page = await context.newPage()
    await page.goto(`${server.url}/console/`)
    watch.assertClean()
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('a fault of the page')
      })
      const image = document.createElement('img')
      image.src = 'http://elsewhere.test/pixel.gif'
      document.body.append(image)
      try {
        document.body.innerHTML = '<b>markup</b>'
      } catch {
        // The policy must refuse the markup.
      }
      return fetch('/console/-/of-another-version.js')
    })
    await eventually(() => /a fault of the page[^]*of-another-version/.test(faultsOf(watch)))
    assert.throws(watch.assertClean, /policy refused: img-src http:\/\/elsewhere\.test/)
    assert.throws(watch.assertClean, /policy refused: require-trusted-types-for trusted-types-sink/)
    await context.close()
  })

  it('see what cannot be read, and what is wider than the page', async (t) => {
    const { page } = await suite().visit(t, { as: null })
    await page.evaluate(() => {
      const button = document.createElement('button')
      document.body.append(button)
    })
    await assert.rejects(assertSeen(page, 'broken'), /button-name/)
    await page.evaluate(() => {
      const wide = document.createElement('p')
      wide.style.width = '700px'
      wide.textContent = 'wide'
      document.querySelector('body > button')!.replaceWith(wide)
    })
    await assertFits(page, 'this')
    await page.setViewportSize({ width: 390, height: 844 })
    await assert.rejects(assertFits(page, 'this'), /this is 7\d\d px wide/)
  })
})
