// Whatever text comes in, and by whatever door: the server works on it hardly longer than on a plain text that is as long.
// Time is that of the thread that serves everybody, and is compared, never judged by a clock.
// A long file: `npm run test:all` runs it.
import { after, before, describe, it } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { send } from '../helpers/answers.ts'
import { sendImport } from '../helpers/importing.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { threadTime } from '../helpers/thread-time.ts'

/** UTF-16 units. What takes its number squared takes a hundred times as long as what does not. */
const LONG = 40_000
/** So much of a path or header, which are short anyway. */
const SHORT = 900
/** So much of a name: longer ones are refused. */
const NAME = 200
/** How many times as long as a plain text one of the worst may take. */
const MOST_TIMES = 12
/** Milliseconds. Less cannot be told from nothing. */
const LEAST = 12

/** What Unicode has that is worst to order, to take apart, or to give another case. */
const WORST = [
  '\u0301',
  '\u0301\u0316',
  '\u0316\u0301\u0327\u0345',
  'a\u0301',
  'a\u0316\u0301\u0327',
  '\u0344',
  '\u1e9b\u0323',
  '\ufdfa',
  '\uac01',
  '\u1100\u1161\u11a8',
  '\u0390',
  'ﬃ',
  'ß',
  'İ',
  'Σ',
  '\u200d',
  '\u202e',
  '\ud834\udd5e',
  '\ud800',
  '\u1fb7\u0345',
]

const JOB = {
  name: 'E',
  format: 'csv',
  destinationType: 'local',
  destinationConfig: { directory: 'none' },
  schedule: '0 0 * * *',
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  const { admin } = shop
  const options = [{ id: 'red', name: 'Rot' }]
  const attributes = [
    { alias: 'text', dataType: 'richText' },
    { alias: 'unique', dataType: 'text', unique: true },
    { alias: 'color', dataType: 'select', options },
    { alias: 'size', dataType: 'number' },
    { alias: 'day', dataType: 'date' },
  ]
  await make(admin, '/api/v1/schemas', { id: 'sch-door', name: 'Doors', attributes })
  await make(admin, '/api/v1/records', { id: 'door', schemaId: 'sch-door', values: { text: everywhere('a') } })
  await make(admin, '/api/v1/catalogs', { id: 'cat-door', name: 'Doors' })
  const to = (attributeAlias: string, ...steps: unknown[]) => ({
    to: { attributeAlias },
    ...(steps.length > 0 ? { with: steps } : {}),
  })
  const id = { header: 'id', to: { field: 'id' } }
  const profiles = {
    color: to('color', 'trim', 'optionName'),
    size: to('size', 'decimalComma'),
    day: to('day', { date: 'dd.MM.yyyy' }),
    text: to('text'),
    unique: to('unique'),
    categories: { to: { field: 'categories' } },
  }
  for (const [header, rest] of Object.entries(profiles)) {
    const rows = { schemaId: 'sch-door', mode: 'upsert', emptyCells: 'keep', columns: [id, { header, ...rest }] }
    await make(admin, '/api/v1/import-profiles', { id: `prf-${header}`, name: header, ...rows })
  }
})
after(() => shop.stop())

const post = (path: string, body: unknown, method = 'POST') => send(shop.admin, method, `/api/v1${path}`, body)
const csv = (query: string, text: string) => sendImport(shop.admin, text, { query, type: 'text/csv' })
const cell = (column: string) => (text: string) => csv(`profile=prf-${column}`, `id,${column}\ndoor,${text}\n`)
const search = (text: string, operator: string) => {
  const criteria = [{ attributeAlias: 'text', operator, value: text }]
  return post('/search', { criteria, criteriaOperator: 'and', sort: [{ attributeAlias: 'unique' }] })
}
const upload = (query: string, body: string) =>
  fetch(`${shop.url}/api/v1/imports?${query}`, {
    method: 'POST',
    headers: { ...shop.admin.headers, 'content-type': 'text/csv' },
    body,
  }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as { id?: string } }))
async function uploadAndDelete(query: string, body: string): Promise<void> {
  const { body: made } = await upload(query, body)
  if (made.id !== undefined) await post(`/imports/${made.id}`, undefined, 'DELETE')
}

/** Door → how a text goes through it, and how long one may be that gets there. */
const DOORS: Readonly<Record<string, readonly [(text: string) => Promise<unknown>, length: number]>> = {
  value: [(text) => post('/records/door', { values: { text: everywhere(text) } }, 'PATCH'), LONG],
  'unique value': [(text) => post('/records/door', { values: { unique: everywhere(text) } }, 'PATCH'), LONG],
  'option of a value': [(text) => post('/records/door', { values: { color: everywhere(text) } }, 'PATCH'), LONG],
  'alias of a value': [(text) => post('/records/door', { values: { [text]: [] } }, 'PATCH'), LONG],
  'ID of a record': [(text) => post('/records', { id: text, schemaId: 'sch-door', values: {} }), LONG],
  'criterion that contains': [(text) => search(text, 'contains'), LONG],
  'criterion that equals': [(text) => search(text, 'equals'), LONG],
  'criterion that begins': [(text) => search(text, 'startsWith'), LONG],
  'text of a search': [(text) => post('/search/full-text', { query: text }), LONG],
  suggestion: [
    (text) => send(shop.admin, 'GET', `/api/v1/records/suggest?query=${encodeURIComponent(text.toWellFormed())}`),
    SHORT,
  ],
  'name of a category': [(text) => post('/catalogs/cat-door/categories', { name: text }), NAME],
  'name of a schema': [(text) => post('/schemas', { name: text, attributes: [] }), NAME],
  'username at sign-in': [(text) => post('/auth/login', { username: text, password: 'x' }), NAME],
  username: [
    (text) => post('/users', { username: text, password: 'long enough for one', roleId: 'role-viewer' }),
    LONG,
  ],
  'name of a role': [(text) => post('/roles', { name: text, permissions: [] }), NAME],
  'name of a file': [
    (text) => uploadAndDelete(`fileName=${encodeURIComponent(text.toWellFormed())}.csv`, 'id\n1\n'),
    SHORT,
  ],
  'header of a file': [(text) => uploadAndDelete('fileName=a.csv&schemaId=sch-door', `id,${text}\n1,2\n`), LONG],
  'cell of a file that is looked at': [
    (text) => uploadAndDelete('fileName=a.csv&schemaId=sch-door', `id,color\n1,${text}\n`),
    LONG,
  ],
  'cell of an option': [cell('color'), LONG],
  'cell of a number': [cell('size'), LONG],
  'cell of a date': [cell('day'), LONG],
  'cell of a text': [cell('text'), LONG],
  'cell of a unique text': [cell('unique'), LONG],
  'cell of categories': [cell('categories'), LONG],
  'header of an import': [(text) => csv('schemaId=sch-door', `id,${text}\ndoor,1\n`), LONG],
  'text that is replaced': [
    (text) => {
      const actions = [{ replaceText: { attributeAlias: 'text', find: text, replace: 'b' } }]
      return post('/bulk-jobs', { selection: { ids: ['door'] }, actions, dryRun: true })
    },
    LONG,
  ],
  'name of a file that is exported': [(text) => post('/export-jobs', { ...JOB, filenameTemplate: text }), LONG],
}

/** Milliseconds of the thread, client included: the shorter one of two tries. */
async function measure(through: (text: string) => Promise<unknown>, text: string): Promise<number> {
  let least = Infinity
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const begin = threadTime()
    await through(text)
    least = Math.min(least, threadTime() - begin)
  }
  return least
}

const filled = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length)

describe('A text of nothing but the worst that Unicode has', () => {
  for (const [door, [through, length]] of Object.entries(DOORS))
    it(`takes the server hardly longer than a plain one: ${door}`, async () => {
      const plain = Math.max(await measure(through, filled('plain text ', length)), LEAST)
      const parts = fc.array(fc.constantFrom(...WORST), { minLength: 1, maxLength: 3 }).map((some) => some.join(''))
      await fc.assert(
        fc.asyncProperty(parts, async (part) => {
          const worst = await measure(through, filled(part, length))
          assert.ok(worst < MOST_TIMES * plain, `${worst} ms of ${JSON.stringify(part)}, ${plain} ms of plain text`)
        }),
        { numRuns: 6, examples: [['\u0301\u0316'], ['\u0301'], ['a\u0316\u0301\u0327'], ['\ufdfa']] },
      )
    })
})
