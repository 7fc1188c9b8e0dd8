// A zip of pictures in the console: which record each file goes to is seen before anything is written. Contract 4 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { send } from '../../helpers/answers.ts'
import { everywhere, make } from '../../helpers/shirts.ts'
import { part, zipOf } from '../../helpers/zip-file.ts'
import { makePicturedCatalogue } from '../helpers/catalogue.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()

describe('A zip of pictures', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(({ admin }) => makePicturedCatalogue(admin), { maxRecords: 1000 })

  it('is dropped, rehearsed, run and undone', async (t) => {
    const { server, visit } = suite()
    const { admin } = server
    const values = { sku: everywhere('ZZ-1') }
    await make(admin, '/api/v1/records', { id: 'zipped', schemaId: 'sch-tea', values })
    await make(admin, '/api/v1/schemas', { id: 'sch-bare', name: 'Bare', attributes: [] })
    const content = zipOf(
      part('ZZ-1_2.png', await picture('red')),
      part('ZZ-1_1.png', await picture('blue')),
      part('AA-9_1.png', await picture('green')),
    )
    const { page } = await visit(t, { path: '/console/imports' })
    const file = { name: 'photos.zip', mimeType: 'application/zip', buffer: content }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByText('3 files, for example:').waitFor()
    await page.getByLabel('Schema', { exact: true }).selectOption('sch-bare')
    await page.getByRole('status').getByText('The schema has no attribute for files or pictures.').waitFor()
    assert.equal(await page.getByLabel('Files go to').count(), 0)
    await assertSeen(page, 'imports-zip-without')
    const adding = page.getByRole('link', { name: 'Add an attribute' })
    assert.match((await adding.getAttribute('href'))!, /\/schemas\/sch-bare$/)
    await page.getByLabel('Schema', { exact: true }).selectOption('sch-tea')
    await page.getByLabel('Records are found by').selectOption('sku')
    await page.getByLabel('Files go to').selectOption('pictures')
    await assertSeen(page, 'imports-zip')
    await page.keyboard.press('Control+s')
    await page.getByText('AA-9_1.png').waitFor()
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('ZZ-1_1.png → ZZ-1').waitFor()
    const places = await page.locator('.differences > li').allInnerTexts()
    assert.deepEqual(
      places.map((text) => text.split('\n')[0]),
      ['ZZ-1_1.png → ZZ-1 place 1', 'ZZ-1_2.png → ZZ-1 place 2'],
    )
    await assertSeen(page, 'imports-zip-rehearsed')
    await page.getByRole('tab', { name: 'Refused' }).click()
    await page.getByText('AA-9_1.png').waitFor()
    await page.getByRole('button', { name: 'Import 2 files' }).click()
    await page.getByRole('link', { name: 'To the records' }).waitFor()
    const list = async () =>
      (await send<{ values: Record<string, unknown[]> }>(admin, 'GET', '/api/v1/records/zipped')).body.values[
        'pictures'
      ]
    assert.equal(((await list())![0] as { value: string[] }).value.length, 2)
  })
})
