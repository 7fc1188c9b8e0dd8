// Searches while the index follows a change of the model: they answer as they do when it has followed.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { importFile, lines } from '../../helpers/importing.ts'
import { untilIndexed } from '../../helpers/indexed.ts'
import { probe } from '../../helpers/random-model-changes.ts'
import { COMBINATIONS, language, market, REVIEWED, schemaA, schemaB, workflowB } from '../../helpers/random-model.ts'
import { drawer } from '../../helpers/random-values.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'

const SEED = Number(process.env['TEST_SEED'] ?? 1)
const ROUNDS = Number(process.env['TEST_ROUNDS'] ?? 15)
const RECORDS = 400
const AT_ONCE = 8

let shop: TestServer
before(async () => {
  shop = await startServer({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/dimensions', language(['en', 'de', 'fr']))
  await make(shop.admin, '/api/v1/dimensions', market(['eu', 'us']))
  await make(shop.admin, '/api/v1/workflows', workflowB({ hasHeld: false, isGated: true, isTurned: false }))
  const variable = { isSlugUnique: false, hasExtra: true, most: 100, colors: ['red', 'green', 'blue'], tags: 'tags' }
  await make(shop.admin, '/api/v1/schemas', schemaA({ ...variable, nameIn: REVIEWED, combinations: COMBINATIONS }))
  const other = { isTitleUnique: false, hasSize: true, isCounted: true, workflowId: 'wf-b', titleIn: ['done'] }
  await make(shop.admin, '/api/v1/schemas', schemaB(other))
  const draw = drawer(SEED)
  const records = Array.from({ length: RECORDS }, (_, index) => {
    const schemaId = draw.one(['sch-a', 'sch-b'])
    return { id: `r-${index}`, schemaId, values: draw.values(schemaId) }
  })
  await importFile(shop.admin, lines(...records), 'mode=create')
})
after(() => shop.stop())

describe('Searches right after a change of the model', () => {
  it('find, count and order what they do when the index has followed', async () => {
    const draw = drawer(SEED + 1)
    for (let round = 0; round < ROUNDS; round += 1) {
      const [path, body] = draw.one<readonly [string, object]>([
        ['/api/v1/schemas/sch-a?dropValues=true', draw.schema()],
        ['/api/v1/schemas/sch-b?dropValues=true', draw.schemaB()],
        ['/api/v1/workflows/wf-b', draw.workflow()],
        ['/api/v1/dimensions/language?dropValues=true', draw.language()],
        ['/api/v1/dimensions/market', draw.market()],
      ])
      await send(shop.admin, 'PUT', path, body)
      const questions = Array.from({ length: AT_ONCE }, () => probe(draw).body as object)
      const answer = async (question: object): Promise<string> => {
        const { status, headers, text } = await send(shop.admin, 'POST', '/api/v1/search', question)
        return `${status} ${headers.get('x-total-count')} ${text}`
      }
      const early = await Promise.all(questions.map(answer))
      await untilIndexed(shop.admin)
      for (const [index, question] of questions.entries())
        assert.equal(early[index], await answer(question), `${path} ${JSON.stringify([body, question])}`)
    }
  })
})
