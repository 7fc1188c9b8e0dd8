// Arrays of any length as answers: their text is made in parts.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as v from 'valibot'
import { route } from '../../../src/http/route.ts'
import { type Frame, startFrame } from '../../helpers/frame.ts'

/** Milliseconds that the text of an item takes. */
const EACH = 1

/** The server's turns while the latest answer was made. */
let turns = 0
let timer: NodeJS.Immediate | undefined

class SlowItem {
  toJSON(): object {
    for (const from = performance.now(); performance.now() - from < EACH;);
    return { slow: true }
  }
}

let frame: Frame
before(async () => {
  const count = (): void => {
    turns += 1
    timer = setImmediate(count)
  }
  const list = route({
    id: 'things.list',
    endpoint: 'GET /public/things/:number',
    summary: 'List things',
    access: 'public',
    responses: { 200: v.array(v.object({ slow: v.boolean() })) },
    handler: ({ params }) => {
      turns = 0
      timer = setImmediate(count)
      return Array.from({ length: Number(params.number) }, () => new SlowItem() as unknown as { slow: boolean })
    },
  })
  frame = await startFrame([list])
})
after(() => frame.stop())

describe('An array in an answer', () => {
  it('lets others take their turn while its text is made, if it is long', async () => {
    for (const number of [0, 1, 150]) {
      const answer = await fetch(`${frame.url}/public/things/${number}`)
      const items = (await answer.json()) as unknown[]
      clearImmediate(timer)
      assert.equal(items.length, number)
      if (number === 150) assert.ok(turns > 10, `${turns} turns in ${number * EACH} ms`)
    }
  })
})
