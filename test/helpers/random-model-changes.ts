// Changes of the model, drawn from a seed, and the searches that come right after them: for `random-operations.ts`.
import { BOTH } from './random-model.ts'
import { get, type Kinds, type Operation, post, put } from './random-requests.ts'
import type { Draw } from './random-values.ts'

const dropping = (draw: Draw): string => (draw.chance(0.5) ? '?dropValues=true' : '')

export const MODEL_KINDS: Kinds = {
  changeSchema: [2, (draw) => put(`/api/v1/schemas/sch-a${dropping(draw)}`, draw.schema(), { isJob: true })],
  changeOther: [2, (draw) => put(`/api/v1/schemas/sch-b${dropping(draw)}`, draw.schemaB(), { isJob: true })],
  changeWorkflow: [1.5, (draw) => put('/api/v1/workflows/wf-b', draw.workflow())],
  changeDimension: [
    0.5,
    (draw) => put(`/api/v1/dimensions/language${dropping(draw)}`, draw.language(), { isJob: true }),
  ],
  changeMarket: [0.5, (draw) => put('/api/v1/dimensions/market', draw.market())],
  rename: [
    0.5,
    (draw) =>
      post(
        '/api/v1/schemas/sch-a/rename-attribute',
        { from: draw.one(['tags', 'marks']), to: draw.one(['tags', 'marks']) },
        { isJob: true },
      ),
  ],
  makeSchema: [0.3, (draw) => post('/api/v1/schemas', { ...draw.schemaB(), id: draw.one(['sch-c', 'sch-d']) })],
  deleteSchema: [0.3, (draw) => ({ method: 'DELETE', path: `/api/v1/schemas/${draw.one(['sch-c', 'sch-d'])}` })],
}

/** Reads of the model, and what its changes would do. */
export const PREVIEW_KINDS: Kinds = {
  previewSchema: [1, (draw) => post('/api/v1/schemas/sch-a/preview', draw.schema())],
  previewOther: [0.5, (draw) => post('/api/v1/schemas/sch-b/preview', draw.schemaB())],
  previewWorkflow: [0.5, (draw) => post('/api/v1/workflows/wf-b/preview', draw.workflow())],
  previewDimension: [0.5, (draw) => post('/api/v1/dimensions/language/preview', draw.language())],
  model: [1, () => get('/api/v1/me/model')],
}

/** A page and its total, of what depends on the model. */
export function probe(draw: Draw): Operation {
  const schemaId = draw.one(['sch-a', 'sch-b'])
  const within = {
    ...draw.maybe(0.5, { stateId: draw.one(['state-review', 'state-published', 'done']) }),
    ...draw.maybe(0.5, { scope: draw.one(BOTH) }),
  }
  const score = draw.chance(0.7)
    ? {
        field: 'completeness',
        operator: draw.one(['gte', 'lt', 'equals']),
        value: draw.one([0, 33, 50, 100]),
        ...within,
      }
    : { field: 'missing', operator: 'isNotEmpty', ...within }
  const alias = draw.one(schemaId === 'sch-a' ? ['color', 'count', 'code', 'flag'] : ['count', 'code', 'size'])
  const values: Readonly<Record<string, readonly string[]>> = {
    color: ['red', 'green', 'blue'],
    count: ['1', '7', '42'],
    flag: ['true', 'false'],
    size: ['s', 'm'],
    code: ['C-1', 'C-2', 'C-3'],
  }
  const other = { attributeAlias: alias, operator: 'equals', value: draw.one(values[alias]!) }
  return post('/api/v1/search', {
    ...draw.maybe(0.6, { schemaId }),
    criteria: [score, other],
    criteriaOperator: draw.one(['or', 'or', 'and']),
    ...draw.maybe(0.3, { sort: draw.sorts() }),
    limit: 1 + draw.whole(5),
  })
}
