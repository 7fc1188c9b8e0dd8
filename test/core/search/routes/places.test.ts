// Where records stand in the order of a search, over HTTP: compared with the search itself. Contract 5 §5.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { english, german, makeShirt, type RecordBody, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

const WORDS = ['linen', 'wool', 'silk', 'red', 'blue']
const RECORDS = 60

interface Places {
  readonly total: number
  readonly counts: readonly number[]
  readonly offset: number
  readonly places: readonly { readonly part: number; readonly row: number; readonly mark: number }[]
}

let shop: Workspace

before(async () => {
  shop = await startWorkspace()
  for (let at = 0; at < RECORDS; at += 1) {
    const word = (by: number) => WORDS[(at * by + at) % WORDS.length]!
    const name = [english(`${word(1)} ${word(2)} ${at % 7}`), ...(at % 3 === 0 ? [german(word(3))] : [])]
    await makeShirt(shop.admin, { name }, { id: `s-${at}` })
  }
})
after(() => shop.stop())

const ALL = { criteria: [], criteriaOperator: 'and' } as const
const contains = (value: string, language?: string) => ({
  attributeAlias: 'name',
  operator: 'contains',
  value,
  ...(language === undefined ? {} : { scope: { language } }),
})
const among = (...starts: readonly string[]) => ({
  criteriaOperator: 'or',
  criteria: starts.map((value) => ({ field: 'id', operator: 'startsWith', value })),
})

async function idsOf(body: object, ...criteria: readonly object[]): Promise<string[]> {
  const answer = await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/search', { ...ALL, ...body, criteria })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map(({ id }) => id)
}

async function places(body: object): Promise<Places> {
  const answer = await send<Places>(shop.admin, 'POST', '/api/v1/search/places', { ...ALL, ...body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The same by the search alone. */
async function byHand(sort: readonly object[], marks: readonly object[], parts: readonly object[]) {
  const marked = await Promise.all(marks.map(async (mark) => new Set(await idsOf({}, mark))))
  const lists = await Promise.all(parts.map((part) => idsOf({ sort }, part)))
  return lists.flatMap((ids, part) =>
    ids.flatMap((id, row) => marked.flatMap((found, mark) => (found.has(id) ? [{ part, row, mark }] : []))),
  )
}

const SORTS = [[], [{ attributeAlias: 'name', scope: { language: 'en' } }], [{ field: 'id', direction: 'desc' }]]
const MARKS = [
  [contains('wool')],
  [contains('red', 'de'), contains('in'), { field: 'id', operator: 'in', value: ['s-3'] }],
]
const PARTS = [[], [among('s-1'), among('s-2', 's-1'), among('nothing'), among('s-4')]]

describe('POST /api/v1/search/places', () => {
  it('gives the places that the search has, for each order, with several criteria and lists', async () => {
    for (const sort of SORTS)
      for (const marks of MARKS)
        for (const parts of PARTS) {
          const expected = await byHand(sort, marks, parts.length === 0 ? [{ ...ALL }] : parts)
          const found = await places({ sort, marks, parts, limit: 500 })
          const counts = await Promise.all(marks.map(async (mark) => (await idsOf({}, mark)).length))
          assert.deepEqual(found, { total: expected.length, counts, offset: 0, places: expected })
          const some = await places({ sort, marks, parts, offset: 5, limit: 4 })
          assert.deepEqual(some.places, expected.slice(5, 9))
        }
  })

  it('looks from a row on, and begins again at the end', async () => {
    const [sort, marks, parts] = [SORTS[1]!, MARKS[0]!, PARTS[1]!]
    const all = await byHand(sort, marks, parts)
    for (const from of [
      { part: 0, row: 0 },
      { part: 0, row: 4 },
      { part: 1, row: 7 },
      { part: 2, row: 0 },
    ]) {
      const first = all.findIndex(({ part, row }) => part > from.part || (part === from.part && row >= from.row))
      const found = await places({ sort, marks, parts, from, limit: 1 })
      assert.deepEqual([found.total, found.offset, found.places], [all.length, first, [all[first]]])
    }
    const atTheEnd = await places({ sort, marks, parts, from: { part: 3, row: 10_000 }, limit: 1 })
    assert.deepEqual([atTheEnd.offset, atTheEnd.places], [0, [all[0]]])
    const none = await places({ marks: [contains('nowhere')], from: { part: 0, row: 3 } })
    assert.deepEqual(none, { total: 0, counts: [0], offset: 0, places: [] })
  })

  it('names the member that does not fit', async () => {
    const refused = async (body: object, name: string) =>
      assertRefused(
        await send(shop.admin, 'POST', '/api/v1/search/places', { ...ALL, ...body }),
        'VALIDATION_ERROR',
        name,
      )
    await refused({}, 'marks')
    await refused({ marks: [] }, 'marks')
    await refused({ marks: Array.from({ length: 101 }, () => contains('a')) }, 'marks')
    await refused({ marks: [{ ...contains('a'), attributeAlias: 'unknown' }] }, 'marks')
    await refused({ marks: MARKS[0], parts: Array.from({ length: 601 }, () => among('a')) }, 'parts')
    await refused({ marks: MARKS[0], limit: 501 }, 'limit')
    await refused({ marks: MARKS[0], from: { part: -1, row: 0 } }, 'from')
  })
})
