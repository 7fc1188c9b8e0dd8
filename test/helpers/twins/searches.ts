// Searches of the limited callers of `twins.ts`: each operator on each attribute, and whatever else a search takes.
import { all, by, criterion, post, put } from './requests.ts'
import type { Request } from './twins.ts'
import { HIDDEN, VISIBLE } from './workspace.ts'

const OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'isEmpty',
  'isNotEmpty',
  'gt',
  'lt',
  'gte',
  'lte',
  'in',
  'notIn',
  'between',
]

const FIELDS: readonly object[] = [
  { field: 'id', operator: 'startsWith', value: 'r-' },
  { field: 'completeness', operator: 'lt', value: 100, stateId: 'state-review' },
  { field: 'completeness', operator: 'equals', value: 100, stateId: 'state-archived' },
  { field: 'completeness', operator: 'gte', value: 50, stateId: 'state-review', scope: { language: 'de' } },
  { field: 'missing', operator: 'isNotEmpty', stateId: 'state-review' },
  { field: 'missing', operator: 'equals', value: 'guarded', stateId: 'state-review' },
  { field: 'missing', operator: 'equals', value: 'hName', stateId: 'state-review' },
  { field: 'missing', operator: 'in', value: ['note', 'hNote'], stateId: 'state-archived' },
  { field: 'completeness', operator: 'lt', value: 100, stateId: 'state-published' },
  { field: 'updatedAt', operator: 'gte', value: '2026-01-01' },
  { field: 'categoryId', operator: 'equals', value: 'c-0' },
  { field: 'parentId', operator: 'isEmpty' },
]
const TEXTS = [
  'a',
  'Alpha',
  'stored',
  'otherwise',
  'kept',
  'much longer',
  'x.txt',
  'red',
  'Bold',
  'https',
  'imported',
  'r-',
  'state',
]
const INCLUDES = ['completeness', 'effectiveValues', 'categories', 'variantCount', 'image', 'version']

export const SEARCHES: readonly Request[] = [
  ...[...VISIBLE, ...HIDDEN].flatMap((alias) =>
    OPERATORS.map((operator) => post('/search', by(criterion(alias, operator)))),
  ),
  ...HIDDEN.map((alias) => post('/search', { ...by(criterion(alias, 'isEmpty')), schemaId: undefined })),
  ...HIDDEN.map((alias) =>
    post(
      '/search',
      by({ criteriaOperator: 'or', not: true, criteria: [criterion(alias, 'isEmpty'), criterion('name', 'isEmpty')] }),
    ),
  ),
  ...['fileName', 'mediaType', 'size', 'width'].map((part) =>
    post('/search', by(criterion('hFile', 'equals', { part, value: '10' }))),
  ),
  ...['fileName', 'mediaType', 'size'].map((part) =>
    post('/search', { ...by({ attributeAlias: 'content', part, operator: 'equals', value: '10' }), schemaId: 'sch-p' }),
  ),
  ...FIELDS.flatMap((field) => [
    post('/search', by(field)),
    post('/search/facets', { ...by(field), facets: [{ field: 'lifecycleStateId' }] }),
  ]),
  ...TEXTS.flatMap((text) => [
    post('/search', { ...all, text }),
    post('/search', { ...all, text, textMode: 'words' }),
    post('/search/full-text', { query: text }),
    post('/search', { ...all, schemaId: 'sch-p', text }),
    post('/search', { ...all, schemaId: 'sch-s', text }),
    post('/search', { ...all, text, limit: 2, sort: [{ attributeAlias: 'name' }] }),
  ]),
  ...[...VISIBLE, ...HIDDEN].flatMap((alias) => [
    post('/search', { ...all, sort: [{ attributeAlias: alias, direction: 'desc' }], limit: 3 }),
    post('/search/facets', { ...all, facets: [{ attributeAlias: alias }] }),
    post('/search/facets', {
      ...all,
      facets: [{ attributeAlias: alias, completeness: { stateId: 'state-archived' } }],
    }),
    post('/search', { ...all, select: [alias], limit: 2 }),
    post('/search', { ...all, resolve: { language: 'de', market: 'eu' }, select: [alias], limit: 1 }),
  ]),
  ...['completeness', 'lifecycleStateId', 'updatedAt', 'id'].flatMap((field) => [
    post(
      '/search',
      { ...all, sort: [{ field, direction: 'asc' }], limit: 3, stateId: 'state-archived' },
      { keep: { name: 'next', from: 'x-next-cursor' } },
    ),
    post('/search', {
      ...all,
      sort: [{ field, direction: 'asc' }],
      limit: 3,
      stateId: 'state-archived',
      after: '$next',
    }),
    post('/search/facets', { ...all, facets: [{ field: field === 'id' ? 'categoryId' : field }] }),
  ]),
  ...INCLUDES.map((include) =>
    post('/search', {
      ...all,
      include: [include],
      stateId: 'state-archived',
      completenessBy: include === 'completeness' ? 'combination' : undefined,
    }),
  ),
  ...INCLUDES.map((include) => post('/search', { ...all, schemaId: 'sch-b', include: [include] })),
  ...INCLUDES.map((include) => post('/search', { ...all, schemaId: 'sch-p', include: [include] })),
  ...['hTitle', 'name'].flatMap((alias) => [
    post('/search', { ...all, schemaId: undefined, sort: [{ attributeAlias: alias, direction: 'asc' }] }),
    post('/search', { ...all, schemaId: undefined, select: [alias], resolve: {} }),
    post('/search', { ...all, schemaId: undefined, criteria: [criterion(alias, 'isNotEmpty')] }),
    post('/search', {
      ...all,
      schemaId: undefined,
      criteriaOperator: 'or',
      criteria: [criterion(alias, 'contains'), { field: 'schemaId', operator: 'equals', value: 'sch-b' }],
    }),
  ]),
  post('/search/places', {
    ...all,
    marks: [criterion('color', 'equals')],
    parts: [criterion('flag', 'equals')],
    sort: [{ field: 'completeness' }],
  }),
  ...HIDDEN.flatMap((alias) => [
    post('/search/places', { ...all, marks: [criterion(alias, 'isEmpty')] }),
    post('/search/places', { ...all, marks: [criterion('color', 'equals')], parts: [criterion(alias, 'isEmpty')] }),
  ]),
  ...['q-hidden', 'q-open', 'q-sort', 'q-text'].map((id) => post(`/saved-queries/${id}/execute`, {})),
  put('/saved-queries/q-hidden', { name: 'H', ...by('********' as never) }),
  put('/saved-queries/q-hidden', {
    name: 'H',
    ...by('********' as never, { field: 'id', operator: 'equals', value: 'r-0' }),
  }),
  put('/saved-queries/q-sort', { name: 'S', ...all, sort: [{ attributeAlias: 'hCount', direction: 'asc' }] }),
  post('/saved-queries/q-hidden/execute', {}),
]
