// Checks a finished screen: axe in both themes, no sideways scrolling at any width. Takes photographs for people into
// $PIMLET_SHOTS, if that is set.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const SHOTS = process.env['PIMLET_SHOTS']
/** Less than half the size of `axe.source`, and each checked page parses it in half the time. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const THEMES = ['light', 'dark'] as const
/** Rows below these look alike, and a check of hundreds takes seconds. */
const LIKE_OTHERS = ['tr:nth-child(n + 6)', '[role=row]:nth-child(n + 6)']
/** The frame is checked with the first screen of each process. */
const FRAME = 'nav.bar'
let isFrameChecked = false
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const

/** `name`: of the photographs, such as `home-empty`; the language is appended. */
export async function assertSeen(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!
  // Content below an open dialog may still be loading.
  const top = (await page.locator('dialog:modal').count()) > 0 ? page.locator('dialog:modal').last() : page
  await top.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  for (const size of SIZES) {
    await page.setViewportSize(size)
    if (SHOTS !== undefined) await photograph(page, `${name}-${size.width}`)
    await assertFits(page, `${name} at ${size.width}`)
  }
  await page.setViewportSize(before)
  await assertAccessible(page, name)
}

async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS!, { recursive: true })
  const language = await page.evaluate(() => document.documentElement.lang)
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: path.join(SHOTS!, `${name}-${language}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** @throws AssertionError if the page scrolls sideways, if a box of the open dialog cuts off a control, or if a text has a letter in
 * each line */
export async function assertFits(page: Page, where: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const scrolled = [document.documentElement, ...document.querySelectorAll('main, aside, dialog')]
    const found = scrolled.find(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    if (found === undefined) return undefined
    const edge = found.getBoundingClientRect().right
    const beyond = [...found.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > edge)
    return `${found.scrollWidth} px wide: ${beyond
      .slice(0, 5)
      .map((one) => `${one.localName}.${one.className}`)
      .join()}`
  })
  assert.equal(wide, undefined, `${where} is ${wide}`)
  const cut = await page.evaluate(() => {
    const dialog = document.querySelector('dialog:modal')
    for (const control of dialog?.querySelectorAll('button, input, select, textarea') ?? [])
      for (let box = control.parentElement; box !== null && box !== dialog; box = box.parentElement) {
        const isCutting = /hidden|clip/.test(getComputedStyle(box).overflowY) && box.clientHeight > 1
        if (isCutting && control.getBoundingClientRect().bottom > box.getBoundingClientRect().bottom + 1)
          return `${control.localName} below .${box.className}`
      }
    return undefined
  })
  assert.equal(cut, undefined, `${where} cuts off ${cut}`)
  const upright = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('main span, main a, main code, main td, main th, main p')]
    const isUpright = ({ clientHeight: high, clientWidth: wide }: Element) => high > 120 && wide < 24
    return parts.find((part) => part.textContent !== '' && isUpright(part))?.textContent
  })
  assert.equal(upright, undefined, `${where} has a letter in each line of ${upright}`)
}

async function assertAccessible(page: Page, name: string): Promise<void> {
  // The page's policy refuses addScriptTag. The script has half a megabyte, so each page loads it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const exclude = isFrameChecked ? [...LIKE_OTHERS, FRAME] : LIKE_OTHERS
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    // The elements are the same in the other theme.
    const violations = await page.evaluate(findViolations, { exclude, onlyColours: colorScheme !== THEMES[0] })
    assert.deepEqual(violations, [], `${name}, ${colorScheme}`)
  }
  isFrameChecked ||= (await page.locator(FRAME).count()) > 0
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Runs in the page. */
async function findViolations({ exclude, onlyColours }: { exclude: readonly string[]; onlyColours: boolean }) {
  const { axe: inPage } = window as unknown as { axe: typeof axe }
  const runOnly = onlyColours
    ? { runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] } }
    : {}
  const found = await inPage.run({ exclude: [...exclude] }, { resultTypes: ['violations'], ...runOnly })
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary}`),
  )
}
