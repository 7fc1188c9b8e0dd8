// docs/history.md: its requests are made one after another, and answered as it shows.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { startServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { assertShown } from '../helpers/shown.ts'

const page = readFileSync(path.join(import.meta.dirname, '../../docs/history.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\S+)(?: .*)?\n([^]*?)^```/gm)].map(([, kind, text]) => ({
  kind: kind!,
  text: text!,
}))

it('docs/history.md: every request works, and is answered as shown', async () => {
  const server = await startServer()
  const attributes = [{ alias: 'name', dataType: 'text' }]
  await make(server.admin, '/api/v1/schemas', { id: 'sch-shirt', name: 'Shirt', attributes })
  let body: unknown
  let cursor = ''
  let made = 0
  for (const { kind, text } of blocks) {
    if (kind === 'json') {
      assertShown(body, JSON.parse(text))
      continue
    }
    assert.equal(kind, 'http')
    for (const line of text.trim().split('\n')) {
      const [, method, target, json] = /^([A-Z]+) (\S+)(?: (\{.*\}))?$/.exec(line) ?? assert.fail(line)
      const address = target!.replace('CURSOR', cursor)
      const answer = await send(server.admin, method!, address, json === undefined ? undefined : JSON.parse(json))
      assert.ok(answer.status >= 200 && answer.status < 300, `${line}: ${answer.text}`)
      body = answer.body
      if (target === '/api/v1/changes?after=latest') cursor = (body as { cursor: string }).cursor
      made += 1
    }
  }
  assert.ok(made >= 12)
  await server.stop()
})
