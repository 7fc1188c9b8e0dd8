// A file of many columns is proposed, and a person can still type.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

describe('The proposal of a wide file', { skip: withoutBrowser }, () => {
  const directory = makeTempDirectory()
  const suite = consoleInSuite(async () => undefined)

  it('a file of 200 columns with any names is proposed, and a key is answered at once', async (t) => {
    const wide = path.join(directory, 'wide.csv')
    const strange = ['__proto__', 'شاي أخضر', '🫖 🍵', 'x'.repeat(200), '', 'double', 'double', 'Weight (kg)']
    const headers = [...strange, ...Array.from({ length: 192 }, (_, n) => `Column ${n}`)]
    const row = (n: number) => headers.map((_, column) => `${n} ${column}`).join(';')
    writeFileSync(wide, [headers.join(';'), ...Array.from({ length: 20 }, (_, n) => row(n)), ''].join('\r\n'))
    const { page } = await suite().visit(t, { path: '/console/start' })
    await page.getByLabel('Choose a file').setInputFiles(wide)
    await page.getByText('Left out: the column has no header.').waitFor()
    await assertSeen(page, 'first-hour-wide')
    const name = page.getByLabel('Name of Column 7', { exact: true })
    await name.fill('Seven')
    const milliseconds = await name.evaluate(async (input: HTMLInputElement) => {
      const begin = performance.now()
      input.value = 'Seven!'
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return performance.now() - begin
    })
    assert.ok(milliseconds < 500, `${milliseconds} ms`)
    t.diagnostic(`a key takes ${Math.round(milliseconds)} ms`)
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText('0 would change, 20 would be new, 0 stay, 0 refused').waitFor({ timeout: 60_000 })
  })
})
