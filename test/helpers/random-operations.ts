// Requests drawn from a seed, of every kind that reads or changes a workspace. IDs of what clients name are drawn from few, so that
// requests meet each other; what servers name is asked for by how many there were of it before.
import {
  RECORDS,
  CATEGORIES,
  CATALOGS,
  QUERIES,
  SCHEMAS,
  TRANSITIONS,
  INCLUDES,
  places,
  query,
  newRecord,
  selection,
  page,
  action,
  drawStep,
} from './random-bodies.ts'
import { drawer, type Draw } from './random-values.ts'

/** What one server has answered so far, as far as later requests need it. */
export interface Answered {
  /** The cursor that came last, and where it goes on. */
  next: { readonly cursor: string; readonly request: Operation } | undefined
  readonly jobs: string[]
}

export interface Operation {
  readonly method: string
  readonly path: string | ((answered: Answered) => string)
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Its job is waited for. */
  readonly isJob?: boolean
}

type Make = (draw: Draw) => Operation

const post = (path: string, body?: unknown, more: object = {}): Operation => ({ method: 'POST', path, body, ...more })
const get = (path: string): Operation => ({ method: 'GET', path })
const put = (path: string, body: unknown, more: object = {}): Operation => ({ method: 'PUT', path, body, ...more })
const record = (draw: Draw): string => `/api/v1/records/${draw.one(RECORDS)}`
const category = (draw: Draw): string => `/api/v1/categories/${draw.one(CATEGORIES)}`
const ifMatch = (draw: Draw) => draw.maybe(0.15, { headers: { 'if-match': `"${draw.whole(200)}"` } })
function search(draw: Draw): Operation {
  const body = {
    ...selection(draw),
    ...draw.maybe(0.6, { sort: draw.times(2, () => draw.sort()) }),
    ...page(draw),
    ...draw.maybe(0.3, { include: draw.some(INCLUDES.slice(0, 5), 2) }),
    ...draw.maybe(0.1, { total: false }),
  }
  return post('/api/v1/search', body)
}

function list(draw: Draw): Operation {
  const sort = draw.maybe(0.5, {
    sort: draw.one(['-updatedAt', 'name[language=de]', '-count,id', 'createdAt', 'code', '-name']),
  })
  const filter = {
    ...draw.maybe(0.4, { schemaId: draw.one(SCHEMAS) }),
    ...draw.maybe(0.2, { parentId: draw.one(['none', ...RECORDS]) }),
    ...draw.maybe(0.2, { lifecycleStateId: draw.one(['state-draft', 'state-review', 'new']) }),
    ...draw.maybe(0.2, { include: draw.one(INCLUDES) }),
  }
  return get(`/api/v1/records${query({ ...filter, ...page(draw), ...sort })}`)
}

function goOn(): Operation {
  return {
    method: 'GET',
    path({ next }) {
      const path = next?.request.path
      if (next === undefined || typeof path !== 'string' || next.request.method !== 'GET')
        return '/api/v1/records?limit=3'
      return `${path.replace(/&?(?:offset|after)=[^&]*/g, '')}&after=${encodeURIComponent(next.cursor)}`
    },
  }
}

function batch(draw: Draw): Operation {
  const operations = draw.times(5, () => drawStep(draw))
  return post('/api/v1/records/batch', { atomic: draw.chance(0.5), operations })
}

function bulk(draw: Draw): Operation {
  const chosen = draw.chance(0.5) ? { ids: draw.some(RECORDS, 8) } : { query: selection(draw) }
  const actions = [...draw.times(1, () => ({ patchValues: draw.values('sch-a') })), action(draw)]
  return post('/api/v1/bulk-jobs', { selection: chosen, actions, dryRun: draw.chance(0.3) }, { isJob: true })
}

const ofJob = (part: string): Operation => ({
  method: 'GET',
  path: ({ jobs }) => `/api/v1/bulk-jobs/${jobs.at(-1) ?? 'none'}${part}`,
})

/** Of 100 or so, how many are of which kind. */
export const KINDS: Readonly<Record<string, readonly [weight: number, make: Make]>> = {
  create: [14, (draw) => post('/api/v1/records', newRecord(draw))],
  createOnce: [
    2,
    (draw) =>
      post('/api/v1/records', newRecord(draw), {
        headers: { 'idempotency-key': `the-key-of-request-${draw.whole(30)}` },
      }),
  ],
  replace: [6, (draw) => put(record(draw), { values: draw.values(draw.one(SCHEMAS)) }, ifMatch(draw))],
  patch: [
    4,
    (draw) => ({ method: 'PATCH', path: record(draw), body: { values: draw.values('sch-a') }, ...ifMatch(draw) }),
  ],
  patchOne: [
    4,
    (draw) => {
      const alias = draw.alias('sch-a')
      return {
        method: 'PATCH',
        path: `${record(draw)}/values/${alias}`,
        body: { scopedValues: draw.scoped(alias, 'sch-a') },
      }
    },
  ],
  delete: [3, (draw) => ({ method: 'DELETE', path: record(draw), ...ifMatch(draw) })],
  transition: [5, (draw) => post(`${record(draw)}/transition`, { transitionId: draw.one(TRANSITIONS) })],
  assign: [4, (draw) => put(`${record(draw)}/categories`, places(draw))],
  batch: [4, batch],
  validate: [
    2,
    (draw) =>
      post(
        '/api/v1/records/validate',
        draw.chance(0.5)
          ? { id: draw.one(RECORDS), values: draw.values('sch-a') }
          : { schemaId: 'sch-a', values: draw.values('sch-a'), mode: 'put' },
      ),
  ],
  restore: [3, (draw) => post(`${record(draw)}/restore`, { version: draw.whole(300) })],
  read: [
    6,
    (draw) =>
      get(
        `${record(draw)}${draw.one(['', '', '/audit', '/categories', '/completeness', '/completeness?stateId=state-published', '/transitions', '?include=completeness,categories', `?version=${draw.whole(200)}`, '/audit?limit=2&action=update'])}`,
      ),
  ],
  list: [6, list],
  goOn: [3, goOn],
  search: [14, search],
  facets: [
    4,
    (draw) =>
      post('/api/v1/search/facets', {
        ...selection(draw),
        facets: [draw.facet(), ...draw.times(2, () => draw.facet())],
      }),
  ],
  text: [
    3,
    (draw) =>
      draw.chance(0.5)
        ? get(`/api/v1/search/text${query({ query: draw.text() || 'a', ...page(draw) })}`)
        : post('/api/v1/search/full-text', { query: draw.text() || 'b', schemaId: 'sch-a', ...page(draw) }),
  ],
  suggest: [
    2,
    (draw) =>
      get(`/api/v1/records/suggest${query({ query: draw.text() || 'r-', ...draw.maybe(0.5, { schemaId: 'sch-a' }) })}`),
  ],
  changes: [
    2,
    (draw) =>
      get(
        `/api/v1/changes${query({ limit: 1 + draw.whole(20), entityType: draw.one(['record', 'model', 'record,model']), ...draw.maybe(0.5, { before: 'latest' }) })}`,
      ),
  ],
  deleted: [1, () => get('/api/v1/records/deleted?limit=5')],
  makeCategory: [
    3,
    (draw) => {
      // Those of one catalog, mostly.
      const at = draw.whole(2)
      const own = CATEGORIES.slice(at * 6, at * 6 + 6)
      const more = {
        ...draw.maybe(0.5, { parentId: draw.one(own) }),
        ...draw.maybe(0.4, { sortOrder: draw.whole(9) / 4 }),
      }
      return post(`/api/v1/catalogs/${CATALOGS[at]!}/categories`, { id: draw.one(own), name: draw.name(), ...more })
    },
  ],
  categories: [
    2,
    (draw) =>
      get(
        draw.one([
          `/api/v1/catalogs/${draw.one(CATALOGS)}/categories?counts=direct,total`,
          `${category(draw)}/records${query({ includeChildren: draw.chance(0.5), ...page(draw) })}`,
          category(draw),
        ]),
      ),
  ],
  moveCategory: [
    2,
    (draw) =>
      post(`${category(draw)}/move`, {
        parentId: draw.one([...CATEGORIES, null]),
        ...draw.maybe(0.3, { before: draw.one(CATEGORIES) }),
      }),
  ],
  replaceCategory: [
    1,
    (draw) =>
      put(category(draw), { name: draw.name(), names: { de: draw.name() }, parentId: draw.one([...CATEGORIES, null]) }),
  ],
  deleteCategory: [1, (draw) => ({ method: 'DELETE', path: category(draw) })],
  orderRecords: [1, (draw) => put(`${category(draw)}/records/order`, { recordIds: draw.some(RECORDS, 4) })],
  moveRecord: [
    1,
    (draw) =>
      post(`${category(draw)}/records/move`, {
        recordId: draw.one(RECORDS),
        ...draw.maybe(0.5, { before: draw.one(RECORDS) }),
      }),
  ],
  saveQuery: [
    1,
    (draw) => post('/api/v1/saved-queries', { id: draw.one(QUERIES), name: draw.name(), ...selection(draw) }),
  ],
  runQuery: [2, (draw) => post(`/api/v1/saved-queries/${draw.one(QUERIES)}/execute${query(page(draw))}`)],
  deleteQuery: [1, (draw) => ({ method: 'DELETE', path: `/api/v1/saved-queries/${draw.one(QUERIES)}` })],
  bulk: [3, bulk],
  bulkEnd: [2, (draw) => ofJob(draw.one(['', '/errors', '/samples?outcome=updated', '/samples?outcome=failed']))],
  undo: [
    1,
    () => ({ method: 'POST', path: ({ jobs }) => `/api/v1/bulk-jobs/${jobs.at(-1) ?? 'none'}/undo`, isJob: true }),
  ],
  export: [1, (draw) => post('/api/v1/records/export', { format: draw.one(['csv', 'jsonl']), ...selection(draw) })],
  // Lines stand alone and are written beside each other: which of two is first is nobody's promise. So one is written, or many are tried.
  import: [
    1,
    (draw) => {
      const [mode, isTried] = [draw.one(['create', 'upsert']), draw.chance(0.5)]
      const items = isTried ? draw.times(4, () => newRecord(draw)) : [newRecord(draw)]
      const headers = { 'content-type': 'application/x-ndjson' }
      return post(
        `/api/v1/records/import${query({ mode, dryRun: isTried })}`,
        items.map((item) => JSON.stringify(item)).join('\n'),
        { headers },
      )
    },
  ],
  changeSchema: [1, (draw) => put(`/api/v1/schemas/sch-a${draw.chance(0.5) ? '?dropValues=true' : ''}`, draw.schema())],
  previewSchema: [1, (draw) => post('/api/v1/schemas/sch-a/preview', draw.schema())],
  rename: [
    0.5,
    (draw) =>
      post(
        '/api/v1/schemas/sch-a/rename-attribute',
        { from: draw.one(['tags', 'marks']), to: draw.one(['tags', 'marks']) },
        { isJob: true },
      ),
  ],
  changeDimension: [0.5, (draw) => put('/api/v1/dimensions/language', draw.language())],
  model: [1, () => get('/api/v1/me/model')],
}

/** An endless sequence, the same for the same seed. */
export function* drawOperations(seed: number): Generator<Operation & { readonly kind: string }, never> {
  const draw = drawer(seed)
  const kinds = Object.entries(KINDS)
  const total = kinds.reduce((sum, [, [weight]]) => sum + weight, 0)
  for (;;) {
    let rest = draw.number() * total
    const [kind, [, make]] = kinds.find(([, [weight]]) => (rest -= weight) < 0) ?? kinds[0]!
    yield { kind, ...make(draw) }
  }
}
