// The missing values of a record during typing: `console/record/missing.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  byAttribute,
  countMissing,
  hiddenByGuard,
  isMissingIn,
  missingOf,
  nextMissing,
  scopesByAlias,
  scoreNow,
  shortScopes,
  stateAhead,
} from '../../../console/record/missing.ts'
import { workspaceOf } from '../../../console/state/model.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'

type Seen = Parameters<typeof workspaceOf>[1]
const attribute = (alias: string, rest: object = {}) => ({
  alias,
  name: alias,
  description: '',
  dataType: 'text',
  dimensionIds: [],
  unique: false,
  requiredInStateIds: ['done'],
  guard: null,
  validation: {},
  options: [],
  units: [],
  currencies: [],
  ...rest,
})
const guard = (guarded: object) => ({ criteriaOperator: 'and', criteria: [guarded] })
const segments = (...ids: string[]) => ids.map((id) => ({ id, name: id }))
const seen = {
  dimensions: [
    { id: 'language', name: 'language', segments: segments('de', 'en') },
    { id: 'market', name: 'market', segments: segments('eu', 'us') },
  ],
  schemas: [
    {
      id: 'tea',
      name: 'Tea',
      workflowId: 'wf',
      combinations: null,
      attributes: [
        attribute('sku'),
        attribute('text', { dimensionIds: ['language', 'market'] }),
        attribute('organic', { dataType: 'boolean', requiredInStateIds: [] }),
        attribute('proof', { guard: guard({ attributeAlias: 'organic', operator: 'equals', value: 'true' }) }),
        attribute('secret', { guard: 'hidden' }),
      ],
    },
  ],
  workflows: [],
  catalogs: [],
} as unknown as Seen
const { model, schemas } = workspaceOf({} as Parameters<typeof workspaceOf>[0], seen)
const schema = schemas.get('tea')!
const scored = (own: Values, inherited: Values | null = null) => ({ layers: { own, inherited }, schema, model })
const aliases = (own: Values) =>
  byAttribute(scoreNow(scored(own), 'done').missing).map(({ alias, scopes }) => `${alias} ${scopes.length}`)
const one = (value: unknown, scope = {}) => [{ scope, value }]

describe('what is missing', () => {
  it('R2 is counted for the state that comes next, where nothing is required there for the one that it takes later', () => {
    const workflow = (...gated: string[]) =>
      ({
        states: [],
        transitions: [
          ['draft', 'review'],
          ['review', 'draft'],
          ['review', 'done'],
          ['done', 'sold'],
        ].map(([fromStateId, toStateId]) => ({
          fromStateId,
          toStateId,
          requiresCompleteness: gated.includes(toStateId!),
        })),
      }) as unknown as Parameters<typeof stateAhead>[0]
    const open = { ...schema, masked: new Set<string>() }
    assert.equal(stateAhead(workflow('done', 'sold'), 'draft', open), 'done')
    assert.equal(stateAhead(workflow('sold'), 'done', open), 'sold')
    // Without a gate, the nearest later state that requires values counts.
    assert.equal(stateAhead(workflow(), 'draft', open), 'done')
    assert.equal(stateAhead(workflow(), 'sold', open), 'sold')
    // Only the server knows values behind a hidden guard, and it states them for the next state.
    assert.equal(stateAhead(workflow('done'), 'draft', schema), 'draft')
  })

  it('R2 follows what is typed, by the rule of the domain', () => {
    assert.deepEqual(aliases({}), ['sku 1', 'text 4', 'secret 1'])
    assert.deepEqual(aliases({ text: one('x', { language: 'de' }), organic: one(true) }), [
      'sku 1',
      'text 2',
      'proof 1',
      'secret 1',
    ])
    assert.equal(scoreNow(scored({}, { sku: one('A') }), 'done').filled, 1)
  })

  it('R2 hides what a guard keeps away, and leaves to the server what the role may not know', () => {
    assert.deepEqual([...hiddenByGuard(scored({}), {})], ['proof'])
    assert.deepEqual([...hiddenByGuard(scored({ organic: one(true) }), {})], [])
    assert.ok(schema.masked.has('secret'))
  })

  it('F8 goes on in the scope of the bar, then to what needs another one, then to the first', () => {
    const { missing } = scoreNow(scored({ text: one('x', { language: 'en' }) }), 'done')
    const order = ['sku', 'text', 'proof', 'secret']
    const next = (bar: Record<string, string>, from?: { alias: string; scope: Record<string, string> }) =>
      nextMissing(missing, order, bar, from)
    assert.equal(next({ language: 'en' })?.attributeAlias, 'sku')
    assert.equal(next({ language: 'en' }, { alias: 'sku', scope: {} })?.attributeAlias, 'secret')
    assert.deepEqual(next({ language: 'de' }, { alias: 'sku', scope: {} }), {
      attributeAlias: 'text',
      scope: { language: 'de', market: 'eu' },
    })
    const single = [{ attributeAlias: 'text', scope: { language: 'de', market: 'eu' } }]
    const at = { alias: 'text', scope: { language: 'en' } }
    assert.deepEqual(nextMissing(single, order, { language: 'en' }, at), single[0])
    assert.equal(nextMissing([{ attributeAlias: 'hidden', scope: {} }], order, {}, undefined), undefined)
  })

  it('says scopes as short as they can be', () => {
    const { missing } = scoreNow(scored({ text: one('x', { language: 'en' }) }), 'done')
    const { scopes } = byAttribute(missing).find(({ alias }) => alias === 'text')!
    assert.deepEqual(shortScopes(scopes, ['language', 'market'], model), [{ language: 'de' }])
    assert.deepEqual(shortScopes(scopes.slice(1), ['language', 'market'], model), scopes.slice(1))
  })

  it('counts what groups lack, and in which scope', () => {
    const { missing } = scoreNow(scored({}), 'done')
    assert.equal(missingOf(['text', 'organic'], missing).length, 4)
    // The four values of all languages and markets are one line of the list.
    assert.equal(countMissing(missingOf(['text'], missing), schema, model), 2)
    assert.equal(isMissingIn(scopesByAlias(missing), 'text', { language: 'de' }), true)
    assert.equal(isMissingIn(scopesByAlias(missing), 'organic', {}), false)
  })
})
