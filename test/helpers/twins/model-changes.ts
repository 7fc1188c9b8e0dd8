// Changes of model and roles by the limited callers of `twins.ts`, and their previews.
import { all, get, post, put } from './requests.ts'
import type { Request } from './twins.ts'
import { HIDDEN, SCHEMA, VISIBLE } from './workspace.ts'

/** The schema as the role reads it, with a change of an attribute; undefined: without the attribute. */
const change = (alias: string, more: object | undefined) => ({
  ...SCHEMA,
  attributes: SCHEMA.attributes.flatMap((attribute) => {
    const read = attribute.alias === 'guarded' ? { ...attribute, guard: '********' } : attribute
    return attribute.alias !== alias ? [read] : more === undefined ? [] : [{ ...read, ...more }]
  }),
})
export const MODEL: readonly Request[] = [
  ...HIDDEN.flatMap((alias) =>
    [
      undefined,
      { unique: true },
      { requiredInStateIds: ['state-draft'] },
      { dimensionIds: ['market'] },
      { dataType: 'json', options: undefined, units: undefined, currencies: undefined, guard: null },
    ].map((more) => post('/schemas/sch-a/preview', change(alias, more))),
  ),
  post('/schemas/sch-a/preview', change('hCount', { validation: { max: 1 } })),
  post('/schemas/sch-a/preview', change('hColor', { options: [{ id: 'red' }] })),
  post('/schemas/sch-a/preview', change('hTitle', { validation: { pattern: '^A' } })),
  post('/schemas/sch-a/preview', change('flag', undefined)),
  ...VISIBLE.flatMap((alias) => [
    post('/schemas/sch-a/preview', change(alias, { requiredInStateIds: ['state-draft', 'state-review'] })),
    post('/schemas/sch-a/preview', change(alias, undefined)),
    post('/schemas/sch-a/preview', change(alias, { unique: true })),
  ]),
  post('/schemas/sch-a/preview', change('guarded', { guard: null })),
  post(
    '/schemas/sch-a/preview',
    change('guarded', {
      guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'flag', operator: 'equals', value: 'true' }] },
    }),
  ),
  post('/schemas/sch-a/preview', change('hGuarded', { guard: null })),
  post('/schemas/sch-a/preview', { ...change('x', {}), workflowId: 'wf-none' }),
  post('/schemas/sch-a/preview', { ...change('x', {}), combinations: [{ language: 'de' }, { market: 'eu' }] }),
  post('/schemas/sch-a/preview', { ...change('x', {}), labelAttribute: 'hTitle', imageAttribute: 'hFile' }),
  put('/schemas/sch-a', { ...change('title', { name: 'Titled' }), labelAttribute: 'hTitle' }),
  put(
    '/schemas/sch-a',
    change('guarded', {
      guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'hFlag', operator: 'equals', value: 'true' }] },
    }),
  ),
  get('/schemas/sch-a'),
  get('/changes?entityType=model&before=latest&limit=5'),
  post('/schemas/sch-a/preview', { ...change('x', {}), combinations: [{ language: 'de' }] }),
  post('/schemas/sch-s/preview', { name: 'S', attributes: [] }),
  post('/workflows/wf-default/preview', {
    name: 'W',
    initialStateId: 'state-draft',
    states: [{ id: 'state-draft' }, { id: 'state-review' }],
    transitions: [],
  }),
  post('/dimensions/language/preview', { name: 'L', segments: [{ id: 'en' }] }),
  post('/dimensions/market/preview', { name: 'M', segments: [{ id: 'us' }] }),
  put('/roles/role-limited', { name: 'Limited', permissions: [], defaultAttributePermission: 'write' }),
  post('/roles', { id: 'role-2', name: 'Two', permissions: ['records.read'], defaultAttributePermission: 'read' }),
  post('/roles', {
    id: 'role-2',
    name: 'Two',
    permissions: ['records.read'],
    defaultAttributePermission: 'read',
    attributePermissions: { 'sch-a': { hName: 'read' } },
  }),
  post('/api-keys', { id: 'key-2', name: 'K', roleId: 'role-admin' }),
  post('/users', { id: 'usr-2', username: 'two', name: 'Two', password: 'a password of two', roleId: 'role-viewer' }),
]

/** A renaming writes the records that have a value, as their versions tell: the same records at both. */
export const RENAMING: readonly Request[] = [
  post(
    '/schemas/sch-a/rename-attribute',
    { from: 'hLink', to: 'hAddress' },
    { keep: { name: 'renaming', from: 'id' } },
  ),
  get('/bulk-jobs/$renaming?wait=20'),
  get('/bulk-jobs/$renaming/samples?outcome=updated'),
  get('/records/r-0'),
  post('/search', { ...all, text: 'example' }),
  post(
    '/schemas/sch-a/rename-attribute',
    { from: 'hAddress', to: 'hLink' },
    { keep: { name: 'renaming', from: 'id' } },
  ),
  get('/bulk-jobs/$renaming?wait=20'),
]
