// No typed text is lost.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Drafts, type DraftedValue } from '../../../console/state/drafts.ts'
import { makeTabs } from '../fake-browser.ts'

const name = (value: string): DraftedValue => ({ alias: 'name', scope: { language: 'de' }, value, before: 'Tee' })

function drafting(user = 'anna', tabs = makeTabs()) {
  const browser = tabs.open()
  return { browser, tabs, drafts: new Drafts(browser, () => user) }
}

describe('A draft', () => {
  it('R5 is kept a moment after the last key, for when the page is opened again', async () => {
    const { browser, drafts, tabs } = drafting()
    drafts.put('r1', [name('Grünt')])
    drafts.put('r1', [name('Grüntee')])
    assert.equal(browser.shared.length, 0)
    await browser.pass(300)
    assert.deepEqual(drafting('anna', tabs).drafts.of('r1')?.values, [name('Grüntee')])
  })

  it('R5 is written when the page goes away, whatever the time', () => {
    for (const event of ['leave', 'hide'] as const) {
      const { browser, drafts, tabs } = drafting()
      drafts.put('r1', [name('G')])
      browser.emit(event)
      assert.deepEqual(drafting('anna', tabs).drafts.of('r1')?.values, [name('G')])
    }
  })

  it('is gone when the server has it; what was typed meanwhile stays', () => {
    const { browser, drafts } = drafting()
    const sku: DraftedValue = { alias: 'sku', scope: {}, value: 'A-1', before: null }
    drafts.put('r1', [name('Grüntee, frisch'), sku])
    drafts.acknowledge('r1', [name('Grüntee'), sku])
    assert.deepEqual(drafts.of('r1')?.values, [name('Grüntee, frisch')])
    drafts.acknowledge('r1', [name('Grüntee, frisch')])
    assert.equal(drafts.of('r1'), undefined)
    assert.equal(browser.shared.length, 0)
  })

  it('is of one user: another one in the same browser sees none', () => {
    const { drafts, tabs } = drafting()
    drafts.put('r1', [name('G')])
    drafts.flush()
    const ben = drafting('ben', tabs).drafts
    assert.deepEqual([ben.of('r1'), ben.list()], [undefined, []])
    assert.deepEqual(
      drafts.list().map(({ recordId }) => recordId),
      ['r1'],
    )
    drafts.dropAll()
    assert.deepEqual(drafts.list(), [])
  })

  it('that the browser cannot keep is still there', () => {
    const { browser, drafts } = drafting()
    browser.shared.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    drafts.put('r1', [name('G')])
    drafts.flush()
    assert.deepEqual(drafts.of('r1')?.values, [name('G')])
  })

  it('of a version that kept something else is none', () => {
    const { browser, drafts } = drafting()
    browser.shared.setItem('pimlet-draft:anna:r1', '{"values":7')
    browser.shared.setItem('pimlet-draft:anna:r2', '[]')
    assert.deepEqual([drafts.of('r1'), drafts.of('r2'), drafts.list()], [undefined, undefined, []])
  })
})
