// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attack } from '../../scripts/bench/attacks/attack.ts'
import { assertWithstood } from './attacked.ts'

test('a pattern that takes seconds is refused, and so is a text that would take seconds with one that does not', async () => {
  const refused: string[] = []
  const attack: Attack = {
    name: 'long patterns',
    longestWait: 500,
    async run(target) {
      const schema = (pattern: string) => ({
        id: 'sch-pattern',
        name: 'P',
        attributes: [{ alias: 'text', dataType: 'text', validation: { pattern } }],
      })
      const record = (value: string) => ({ schemaId: 'sch-pattern', values: { text: [{ scope: {}, value }] } })
      const refuse = (path: string, body: object): Promise<void> =>
        target.send('POST', `/api/v1/${path}`, body).then(
          () => assert.fail('taken'),
          (error: Error) => void refused.push(error.message),
        )
      await refuse('schemas', schema('(\\p{L}\\p{N}?){400}[^a-z]'))
      await refuse('schemas', schema('(\\p{L}{9}){111}'.repeat(60)))
      await target.send('POST', '/api/v1/schemas', schema('(\\p{L}\\p{N}?){40}[^a-z]'))
      await refuse('records', record('a'.repeat(500_000)))
      await target.send('POST', '/api/v1/records', record(`${'a'.repeat(4000)}!`))
      return refused.join('; ')
    },
  }
  await assertWithstood(attack)
  assert.equal(refused.length, 3)
  for (const message of refused) assert.match(message, / 400 .*(2000|1000000)/)
})
