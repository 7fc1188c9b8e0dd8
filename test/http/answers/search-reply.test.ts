// The text of a search's answer is one JSON array, in whatever batches its records come.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { JsonStream } from '../../../src/http/answers/replies.ts'
import { foundRecordsReply } from '../../../src/http/answers/record-replies.ts'
import { recordOf } from '../../store/contract/fixtures.ts'

async function textOf(ids: readonly (readonly string[])[]): Promise<string> {
  async function* batches() {
    for (const batch of ids) yield batch.map((id) => recordOf(id))
  }
  const { body } = await foundRecordsReply({ total: null, next: null, batches: batches() })
  return body instanceof JsonStream ? (await Array.fromAsync(body.chunks)).join('') : body.text
}

describe('The answer to a search', () => {
  it('has each record once, in its order, in whatever batches they come, empty ones too', async () => {
    const batches = fc.array(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 3 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(batches, async (ids) => {
        const found = JSON.parse(await textOf(ids)) as { id: string }[]
        assert.deepEqual(
          found.map(({ id }) => id),
          ids.flat(),
        )
      }),
      { examples: [[[]], [[[]]], [[[], ['a']]], [[['a'], [], ['b']]]] },
    )
  })
})
