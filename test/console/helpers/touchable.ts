// Checks that fingers reach every control of a page: none is small, none lies beside the screen.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Pixels of the smallest side of a control; a border may take one. */
const SMALLEST = 43

export async function assertTouchable(page: Page, where: string): Promise<void> {
  const faults = await page.evaluate((smallest) => {
    const controls =
      'button, input, select, textarea, [role=tab], [role=option], [role=menuitem], summary, nav a, .button'
    const nameOf = (one: Element) =>
      `${one.localName}.${one.className} “${(one.getAttribute('aria-label') ?? one.textContent).slice(0, 30)}”`
    const found: string[] = []
    const page = document.documentElement
    if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth} px wide`)
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      // The label of a checkbox is tapped like the box.
      const target = control.matches('[type=checkbox], [type=radio]') ? (control.closest('label') ?? control) : control
      const { width, height, left, right } = target.getBoundingClientRect()
      if (width < 2 || !target.checkVisibility({ visibilityProperty: true })) continue
      // In a field of several values, the field around the input is tapped.
      if (control.closest('.combobox.several, .thumb, meter') !== null) continue
      const isSmall = height < smallest || (width < smallest && !control.matches('input'))
      if (isSmall) found.push(`${nameOf(control)} is ${Math.round(width)} × ${Math.round(height)}`)
      if (control.matches('[role=tab]') && control.scrollWidth > control.clientWidth)
        found.push(`${nameOf(control)} is cut`)
      const scrolled = control.closest('.tabs, .sheet, .wide-table, table, .tree, .place-nav')
      if (scrolled === null && (left < -1 || right > page.clientWidth + 1))
        found.push(`${nameOf(control)} is beside the screen`)
    }
    return found
  }, SMALLEST)
  assert.deepEqual(faults, [], where)
}
