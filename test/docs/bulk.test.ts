// docs/bulk.md shows requests and their answers: they are sent, and must be answered like that.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { errorsOf, runJob, undoJob } from '../helpers/bulk-jobs.ts'
import { runCommand } from '../helpers/command.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { english, makeShirt, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { assertShown } from '../helpers/shown.ts'

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

  it('shows a job, and what its undo leaves alone', async () => {
    for (const [index, color] of ['Red', 'Blue', 'Green'].entries())
      await makeShirt(shop.admin, { name: [english(`${color} dress`)] }, { id: `dress-${index + 1}` })
    const job = block('job') as object
    assertShown(await runJob(shop.admin, job), block('rehearsed'))
    const done = await runJob(shop.admin, { ...job, dryRun: false })
    assert.deepEqual([done.changed, done.failed], [2, 0])
    const values = { name: [english('Blue trousers')] }
    await send(shop.admin, 'PATCH', '/api/v1/records/dress-2', { values })
    const undone = await undoJob(shop.admin, done.id)
    assert.deepEqual(await errorsOf(shop.admin, undone.id), block('kept'))
  })

  it('shows requests that the server takes, and commands that the program knows', async () => {
    const lines = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, text]) => text!.trim().split('\n'))
    const bodies: Record<string, unknown> = {
      '/api/v1/records/validate': block('check'),
      '/api/v1/records': { schemaId: 'sch-shirt', values: {} },
    }
    const query = { criteria: [{ field: 'id', operator: 'equals', value: 'dress-1' }], criteriaOperator: 'and' }
    await send(shop.admin, 'POST', '/api/v1/saved-queries', { id: 'sq-dresses', name: 'Dresses', ...query })
    const env = { PIMLET_URL: shop.url, PIMLET_API_KEY: ADMIN_KEY }
    for (const line of lines) {
      const [, path, key] = /^curl -s \$URL(\S+) .*?(?:Idempotency-Key: ([^']+)')? -d '…'$/.exec(line) ?? []
      if (path !== undefined) {
        const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
        const answer = await send(shop.admin, 'POST', path, bodies[path] ?? assert.fail(line), headers)
        assert.ok(answer.status < 300, answer.text)
        continue
      }
      const [program, ...args] = line.split(' ').map((word) => word.replaceAll("'", ''))
      assert.equal(program, 'pimlet')
      const { status, stderr } = await runCommand(args, { env })
      // The job that is taken back is another workspace's.
      if (args[0] === 'undo') assert.match(stderr, /no bulk job/)
      else assert.equal(status, 0, stderr)
    }
    assert.ok(lines.length >= 4)
  })
})
