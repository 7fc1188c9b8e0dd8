// docs/bulk.md shows requests and their answers: they are sent, and must be answered like that.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { startWorkspace, type Workspace } from '../helpers/shirts.ts'

const page = readFileSync(path.join(import.meta.dirname, '../../docs/bulk.md'), 'utf8')

/** The JSON of the block that begins with ```` ```json <name> ````. */
function block(name: string): unknown {
  const begin = page.indexOf(`\`\`\`json ${name}\n`)
  assert.notEqual(begin, -1, `docs/bulk.md lacks the block '${name}'`)
  const text = page.slice(page.indexOf('\n', begin) + 1)
  return JSON.parse(text.slice(0, text.indexOf('```')))
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

describe('docs/bulk.md', () => {
  it('shows a check', async () => {
    const answer = await send(shop.admin, 'POST', '/api/v1/records/validate', block('check'))
    assert.deepEqual(answer.body, block('checked'))
  })

  it('shows a batch', async () => {
    const answer = await send(shop.admin, 'POST', '/api/v1/records/batch', block('batch'))
    assert.deepEqual(answer.body, block('done'))
  })
})
