// docs/search.md shows searches and what they find: they are asked, in their order, of the records that it shows.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fields } from '../../src/core/search/rules/fields.ts'
import { OPERATOR_NAMES } from '../../src/core/search/rules/operators.ts'
import { send } from '../helpers/answers.ts'
import { english, everywhere, german, make, makeShirt, startWorkspace, type Workspace } from '../helpers/shirts.ts'

const page = readFileSync(path.join(import.meta.dirname, '../../docs/search.md'), 'utf8')

/** The cells of the table with this first heading, row by row. */
function table(heading: string): string[][] {
  const begin = page.search(new RegExp(`^\\| ${heading} +\\|`, 'm'))
  assert.notEqual(begin, -1, `docs/search.md lacks the table '${heading}'`)
  const [lines] = page.slice(begin).split('\n\n')
  const rows = lines!.split('\n').map((line) => line.split('|').slice(1, -1))
  return rows.slice(2).map((row) => row.map((cell) => cell.trim()))
}

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

interface Example {
  readonly kind: string
  readonly text: string
  /** IDs; undefined where the page does not say. */
  readonly found: string[] | undefined
}

const examples = [...page.matchAll(/^```(.+)\n([^]*?)^```\n(?:\n(Finds .*)\.$)?/gm)].map(
  ([, kind, text, found]): Example => ({
    kind: kind!,
    text: text!,
    found: found === undefined ? found : quoted(found),
  }),
)

let shop: Workspace
let cursor = ''
let lastAnswer = ''

before(async () => {
  shop = await startWorkspace()
  const { admin } = shop
  for (const id of ['web', 'cat-web']) await make(admin, '/api/v1/catalogs', { id, name: id })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'clothes', name: 'Clothes' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'shirts', name: 'Shirts', parentId: 'clothes' })
  for (const [id, parentId, en, de, price, weight, color, categoryId] of table('id')) {
    const values = {
      name: [...(en ? [english(en)] : []), ...(de ? [german(de)] : [])],
      ...(price && { price: everywhere({ amount: Number(price), currency: 'EUR' }) }),
      ...(weight && { weight: everywhere(Number(weight)) }),
      ...(color && { color: everywhere(color) }),
    }
    await makeShirt(admin, values, { id, ...(parentId && { parentId }) })
    if (!categoryId) continue
    const answer = await send(admin, 'PUT', `/api/v1/records/${id}/categories`, [{ categoryId }])
    assert.equal(answer.status, 200, answer.text)
  }
})
after(() => shop.stop())

const SEARCH = '/api/v1/search'

function requestOf({ kind, text }: Example): { method: string; target: string; body?: unknown } {
  const json = text.replace('CURSOR', cursor)
  switch (kind) {
    case 'json criteria':
      return {
        method: 'POST',
        target: SEARCH,
        body: { criteria: JSON.parse(json) as unknown, criteriaOperator: 'and' },
      }
    case 'json search':
      return { method: 'POST', target: SEARCH, body: JSON.parse(json) as unknown }
    case 'json facets':
      return { method: 'POST', target: `${SEARCH}/facets`, body: JSON.parse(json) as unknown }
    case 'json places':
      return { method: 'POST', target: `${SEARCH}/places`, body: JSON.parse(json) as unknown }
    case 'http':
      return { method: 'GET', target: text.replace('GET ', '').trim() }
    default: {
      const [, target, body] = /^curl -s \$URL(\S+) .* -d '([^']*)'$/m.exec(text) ?? assert.fail(text)
      return { method: 'POST', target: target!, body: JSON.parse(body!) as unknown }
    }
  }
}

async function ask(example: Example): Promise<string> {
  const { method, target, body } = requestOf(example)
  const response = await fetch(shop.url + target, {
    method,
    headers: { ...shop.admin.headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  assert.equal(response.status, 200, answer)
  cursor = response.headers.get('x-next-cursor') ?? ''
  return answer
}

describe('docs/search.md', () => {
  for (const [index, example] of examples.entries())
    it(`shows what example ${index + 1} finds: ${example.text.slice(0, 60).replaceAll(/\s+/g, ' ')}`, async () => {
      if (example.kind === 'json answer') {
        assert.deepEqual(JSON.parse(lastAnswer), JSON.parse(example.text))
        return
      }
      const answer = await ask(example)
      lastAnswer = answer
      if (!['sh', 'json facets', 'json places'].includes(example.kind))
        assert.ok(example.found, 'it does not say what is found')
      if (example.found === undefined) return
      const records = JSON.parse(answer) as { id: string }[] | { items: { id: string }[] }
      const ids = ('items' in records ? records.items : records).map(({ id }) => id)
      assert.deepEqual(ids, example.found)
    })

  it('has examples of every kind', () => {
    assert.ok(examples.length >= 15)
    const kinds = new Set(examples.map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), [
      'http',
      'json answer',
      'json criteria',
      'json facets',
      'json places',
      'json search',
      'sh',
    ])
  })

  it('lists the fields with their operators, and names every operator', () => {
    const listed = table('field').map(([field, operators]) => [quoted(field!)[0], quoted(operators!).sort()])
    const known = Object.entries(fields).map(([field, { operators }]) => [field, operators.toSorted()])
    assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(known))
    for (const operator of OPERATOR_NAMES) assert.ok(page.includes(`\`${operator}\``), operator)
  })
})
