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
  drawStep,
} from './random-bodies.ts'
import { JOB_KINDS } from './random-jobs.ts'
import { MODEL_KINDS, PREVIEW_KINDS, probe } from './random-model-changes.ts'
import { get, type Kinds, type Operation, post, put } from './random-requests.ts'
import { drawer, type Draw } from './random-values.ts'

const record = (draw: Draw): string => `/api/v1/records/${draw.one(RECORDS)}`
const category = (draw: Draw): string => `/api/v1/categories/${draw.one(CATEGORIES)}`
const ifMatch = (draw: Draw) => draw.maybe(0.15, { headers: { 'if-match': `"${draw.whole(200)}"` } })
function search(draw: Draw): Operation {
  const body = {
    ...selection(draw),
    ...draw.maybe(0.6, { sort: draw.sorts() }),
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

/** The page behind the one that came last. */
const goOn: Operation = {
  method: 'GET',
  path({ next }) {
    const path = next?.request.path
    if (next === undefined || typeof path !== 'string' || next.request.method !== 'GET')
      return '/api/v1/records?limit=3'
    return `${path.replace(/&?(?:offset|after)=[^&]*/g, '')}&after=${encodeURIComponent(next.cursor)}`
  },
}
const searchOn: Operation = {
  method: 'POST',
  path: '/api/v1/search',
  bodyOf({ next }) {
    if (next?.request.path !== '/api/v1/search') return { criteria: [], limit: 4 }
    const { offset: _offset, ...body } = next.request.body as { offset?: number }
    return { ...body, after: next.cursor }
  },
}

function batch(draw: Draw): Operation {
  const operations = draw.times(5, () => drawStep(draw))
  return post('/api/v1/records/batch', { atomic: draw.chance(0.5), operations })
}

const RECORD_KINDS: Kinds = {
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
  detach: [1, (draw) => ({ method: 'DELETE', path: `${record(draw)}?detach=true`, isJob: true, ...ifMatch(draw) })],
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
  restore: [
    4,
    (draw) => {
      const [id, back, isAny] = [draw.one(RECORDS), draw.whole(4), draw.chance(0.2)]
      const any = draw.whole(300)
      return {
        method: 'POST',
        path: `/api/v1/records/${id}/restore`,
        bodyOf({ versions }) {
          const known = versions.get(id) ?? []
          return { version: isAny || known.length === 0 ? any : known.at(-1 - (back % known.length)) }
        },
      }
    },
  ],
  read: [
    6,
    (draw) =>
      get(
        `${record(draw)}${draw.one(['', '', '/audit', '/categories', '/completeness', '/completeness?stateId=state-published', '/transitions', '?include=completeness,categories', `?version=${draw.whole(200)}`, '/audit?limit=2&action=update', '/referrers', '/referrers?limit=1'])}`,
      ),
  ],
  list: [6, list],
  goOn: [3, () => goOn],
  search: [14, search],
  searchOn: [5, () => searchOn],
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
  deleted: [1, () => get('/api/v1/records/deleted?limit=5')],
  makeCategory: [
    3,
    (draw) => {
      // Most of these categories belong to one catalog.
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
  export: [1, (draw) => post('/api/v1/records/export', { format: draw.one(['csv', 'jsonl']), ...selection(draw) })],
}

const KINDS: Kinds = { ...RECORD_KINDS, ...JOB_KINDS, ...PREVIEW_KINDS, ...MODEL_KINDS }

/** An endless sequence, the same for the same seed. A change of the model is followed by searches that meet the index before it has followed. */
export function* drawOperations(seed: number): Generator<Operation & { readonly kind: string }, never> {
  const draw = drawer(seed)
  const kinds = Object.entries(KINDS)
  const total = kinds.reduce((sum, [, [weight]]) => sum + weight, 0)
  for (;;) {
    let rest = draw.number() * total
    const [kind, [, make]] = kinds.find(([, [weight]]) => (rest -= weight) < 0) ?? kinds[0]!
    yield { kind, ...make(draw) }
    if (kind in MODEL_KINDS) for (const _ of Array(3)) yield { kind: 'probe', ...probe(draw) }
  }
}
