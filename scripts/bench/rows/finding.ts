// Searches by fields, sorted, by cursors and with facets, compared with plain searches.
import { SCHEMA_ID } from '../catalogue.ts'
import { API_KEY } from '../processes.ts'
import { timeSearch } from '../search-times.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'
import { chooseValues } from './combined.ts'

const DEPTH = 50_000
const PER_BATCH = 1000
/** The state in which every record of the bench is complete. */
const STATE = 'state-review'
const ENGLISH = { language: 'en' }

export async function measureFinding(workspace: Workspace): Promise<Row[]> {
  return [...(await measureFields(workspace)), ...(await measureOrder(workspace)), ...(await measureFacets(workspace))]
}

const totalOf = (headers: Headers): number => Number(headers.get('x-total-count'))

/** Each search finds as many records as the `equals` beside it. */
async function measureFields(workspace: Workspace): Promise<Row[]> {
  const { option } = chooseValues(workspace)
  const equals = await timeSearch(workspace, {
    criteria: [{ attributeAlias: 'manufacturer', operator: 'equals', value: option }],
  })
  const hits = totalOf(equals.headers)
  const ids = idsOf(workspace, hits)
  await send(workspace, '/api/v1/catalogs', { id: 'cat-bench', name: 'Bench' })
  await send(workspace, '/api/v1/catalogs/cat-bench/categories', { id: 'ctg-bench', name: 'All' })
  await send(workspace, '/api/v1/catalogs/cat-bench/categories', {
    id: 'ctg-below',
    name: 'Below',
    parentId: 'ctg-bench',
  })
  const categories = [{ categoryId: 'ctg-below' }]
  await changeAll(workspace, ids, (id) => ({ op: 'addCategories', id, categories }))
  const values = { name: [{ scope: ENGLISH, value: null }] }
  await changeAll(workspace, ids, (id) => ({ op: 'patch', id, values }))
  await workspace.files.whenIndexed()
  const state = { stateId: STATE, scope: ENGLISH }
  const questions = [
    ['completeness below 100 for a state and a scope', { field: 'completeness', operator: 'lt', value: 100, ...state }],
    ['completeness below 80 for a state and a scope', { field: 'completeness', operator: 'lt', value: 80, ...state }],
    ['an attribute that is missing in a scope', { field: 'missing', operator: 'equals', value: 'name', ...state }],
    ['a category with those below it', { field: 'categoryId', operator: 'equals', value: 'ctg-bench' }],
  ] as const
  const rows: Row[] = []
  for (const [name, criterion] of questions) {
    const { time, headers } = await timeSearch(workspace, { criteria: [criterion] })
    const ratio = time / equals.time
    const found = totalOf(headers)
    if (found !== hits) throw new Error(`search by ${name} finds ${found}, not ${hits}`)
    rows.push({
      name: `search by ${name} (${found} hits), p50; reference: \`equals\` with as many`,
      pimlet: milliseconds(time),
      reference: milliseconds(equals.time),
      ratio,
      bar: '≤ 3 ×',
      isHeld: ratio <= 3,
    })
  }
  return rows
}

async function send({ server }: Workspace, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'x-service-apikey': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
}

function idsOf({ files }: Workspace, count: number): string[] {
  const db = files.openBoth()
  try {
    return db.prepare('SELECT id FROM record WHERE schema_id = ? LIMIT ?').pluck().all(SCHEMA_ID, count) as string[]
  } finally {
    db.close()
  }
}

async function changeAll(workspace: Workspace, ids: readonly string[], change: (id: string) => object): Promise<void> {
  for (let at = 0; at < ids.length; at += PER_BATCH)
    await send(workspace, '/api/v1/records/batch', { operations: ids.slice(at, at + PER_BATCH).map(change) })
}

async function measureOrder(workspace: Workspace): Promise<Row[]> {
  const plain = await timeSearch(workspace, {})
  const rows: Row[] = []
  for (const [name, key] of [
    ['a text in a scope', { attributeAlias: 'name', scope: { language: 'en' } }],
    ['a number', { attributeAlias: 'stock' }],
    ['the time of the last change, descending', { field: 'updatedAt', direction: 'desc' }],
  ] as const) {
    const first = await timeSearch(workspace, { sort: [key] })
    const ratio = first.time / plain.time
    rows.push({
      name: `first page sorted by ${name} (${totalOf(first.headers)} hits), p50; reference: unsorted`,
      pimlet: milliseconds(first.time),
      reference: milliseconds(plain.time),
      ratio,
      bar: '≤ 3 ×',
      isHeld: ratio <= 3,
    })
    const depth = Math.min(DEPTH, Math.floor(totalOf(first.headers) / 2))
    const there = await timeSearch(workspace, { sort: [key], offset: depth })
    const deep = await timeSearch(workspace, { sort: [key], after: there.headers.get('x-next-cursor') })
    rows.push({
      name: `the same by cursor behind ${depth} records, p50 (by \`offset\`: ${milliseconds(there.time)}); reference: the first page`,
      pimlet: milliseconds(deep.time),
      reference: milliseconds(first.time),
      ratio: deep.time / first.time,
      bar: '≤ 2 ×',
      isHeld: deep.time / first.time <= 2,
    })
  }
  return rows
}

async function measureFacets(workspace: Workspace): Promise<Row[]> {
  const facets = [
    { field: 'lifecycleStateId' },
    { field: 'completeness' },
    { attributeAlias: 'manufacturer' },
    { attributeAlias: 'bodyStyle' },
  ]
  const { option } = chooseValues(workspace)
  const some = [{ attributeAlias: 'manufacturer', operator: 'equals', value: option }]
  const rows: Row[] = []
  for (const [criteria, bar] of [
    [[], 150],
    [some, 10],
  ] as const) {
    const { time, text } = await timeSearch(workspace, { criteria, facets }, '/api/v1/search/facets')
    const { total } = JSON.parse(text) as { total: number }
    rows.push({
      name: `four facets over ${total} records, p50`,
      pimlet: milliseconds(time),
      bar: `≤ ${bar} ms`,
      isHeld: time <= bar,
    })
  }
  return rows
}
