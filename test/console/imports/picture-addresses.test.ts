// A file with addresses of pictures: the proposal fetches nothing unasked, and a host that is away does no lasting harm.
// Contract 5 §1.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { untilEnded } from '../../helpers/bulk-jobs.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const ROWS = 12

describe('A file with addresses of pictures', { skip: withoutBrowser }, () => {
  const file = path.join(makeTempDirectory(), 'Lamps.csv')
  const suite = consoleInSuite(async () => undefined)

  it('fetches them only after a choice; a host that is away refuses all rows in one reason, and one undo takes the schema back', async (t) => {
    const rows = Array.from({ length: ROWS }, (_, n) => `Lamp ${n};https://pictures.invalid/${n}.jpg`)
    writeFileSync(file, ['Name;Picture', ...rows, ''].join('\r\n'))
    const { server, visit } = suite()
    const { page } = await visit(t, { path: '/console/start' })
    await page.getByLabel('Choose a file').setInputFiles(file)
    assert.equal(await page.getByLabel('Type of Picture').inputValue(), 'url')
    await page.getByLabel('Fetch the pictures now').check()
    assert.equal(await page.getByLabel('Type of Picture').inputValue(), 'file')
    await assertSeen(page, 'picture-addresses-proposal')
    await page.getByRole('button', { name: `Make the schema and import ${ROWS} rows` }).click()
    await page.getByText(`0 changed, 0 new, 0 stayed as they were, ${ROWS} refused`).waitFor({ timeout: 60_000 })
    await page.getByText('all refused').first().waitFor()
    assert.equal(await page.getByText(/cannot be fetched/).count(), 1)
    await page.getByText(`and ${ROWS - 3} more`).waitFor()
    await page.getByText('A picture could not be fetched.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'To the records' }).count(), 0)
    await assertSeen(page, 'picture-addresses-refused')
    await page.getByRole('button', { name: 'Undo the import' }).click()
    await page.waitForURL(/\/console\/bulk\//)
    await untilEnded(server.admin, new URL(page.url()).pathname.split('/').at(-1)!)
    assert.deepEqual((await send<unknown[]>(server.admin, 'GET', '/api/v1/schemas')).body, [])
    await page.goto(`${server.url}/console/imports`)
    await page.getByRole('listitem').getByText('all refused').waitFor()
    await assertSeen(page, 'imports-all-refused')
  })
})
