// Ways out of a record: to the address and the record that a field names, and to the attributes that a schema lacks.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'

describe('Links beside fields', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    const attributes = [
      { alias: 'picture', name: 'Picture', dataType: 'url' },
      { alias: 'spare', name: 'Spare part', dataType: 'reference' },
      { alias: 'note', name: 'Note', dataType: 'text' },
    ]
    const one = (value: string) => [{ scope: {}, value }]
    const values = { picture: one('https://example.com/a.jpg'), spare: one('part-1'), note: one('https://example.com') }
    await make(admin, '/api/v1/schemas', { id: 'part', name: 'Part', attributes })
    await make(admin, '/api/v1/schemas', { id: 'bare', name: 'Bare' })
    await make(admin, '/api/v1/records', { id: 'part-1', schemaId: 'part', values: {} })
    await make(admin, '/api/v1/records', { id: 'part-2', schemaId: 'part', values })
  })

  it('open the address in a tab of its own, and the record that is referred to', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/part-2' })
    const picture = page.getByRole('link', { name: 'Open: Picture' })
    await picture.waitFor()
    assert.equal(await picture.getAttribute('href'), 'https://example.com/a.jpg')
    assert.equal(await picture.getAttribute('rel'), 'noreferrer noopener')
    assert.equal(await page.getByRole('link', { name: 'Open: Note' }).count(), 0)
    await page.getByRole('link', { name: 'Open: Spare part' }).click()
    await page.waitForURL(/\/console\/records\/part-1$/)
    await page.getByLabel('Picture').waitFor()
    assert.equal(await page.getByRole('link', { name: /^Open: / }).count(), 0)
  })

  it('lead from a schema without attributes to the model, where a record would have no name', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records?schema=bare' })
    await page.getByText('The schema has no attributes that your role may read.').waitFor()
    await page.getByRole('link', { name: 'Add an attribute' }).click()
    await page.waitForURL(/\/console\/schemas\/bare$/)
  })
})
