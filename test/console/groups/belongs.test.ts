// Whether a record belongs to its group by its values: `console/groups/belongs.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { belongs } from '../../../console/groups/belongs.ts'
import type { GroupBy } from '../../../console/grid/groups.ts'

const byAttribute = (dataType: string, scope: object = {}, dimensionIds: readonly string[] = []) =>
  ({ kind: 'attribute', attribute: { alias: 'a', dataType, dimensionIds, options: [] }, scope }) as unknown as GroupBy
const record = (...a: readonly { scope: Record<string, string>; value: unknown }[]) => ({
  id: 'r',
  lifecycleStateId: 'draft',
  createdBy: 'me',
  updatedBy: 'you',
  values: { a } as never,
})
const all = (value: unknown) => record({ scope: {}, value })
const group = (value: string | null, isRest = false) => ({ value, isRest })
const isGroup = (value: string): boolean => value === 'red' || value === 'blue'

describe('A record belongs to a group', () => {
  it('with its value, with any of several, or without one', () => {
    const one = byAttribute('select')
    assert.ok(belongs(all('red'), group('red'), one, isGroup))
    assert.ok(!belongs(all('red'), group('blue'), one, isGroup))
    assert.ok(belongs(all(['red', 'blue']), group('blue'), byAttribute('multiSelect'), isGroup))
    assert.ok(belongs(all([]), group(null), byAttribute('multiSelect'), isGroup))
    assert.ok(belongs(record(), group(null), one, isGroup))
    assert.ok(!belongs(all('red'), group(null), one, isGroup))
    assert.ok(belongs(all(true), group('true'), byAttribute('boolean'), isGroup))
  })

  it('of the rest while none of its values has a group', () => {
    const one = byAttribute('select')
    assert.ok(belongs(all('green'), group(null, true), one, isGroup))
    assert.ok(!belongs(all('red'), group(null, true), one, isGroup))
    assert.ok(!belongs(record(), group(null, true), one, isGroup))
  })

  it('in the scope of the bar, or with any value if the bar leaves the scope open', () => {
    const german = { scope: { language: 'de' }, value: 'red' }
    const dimensions = ['language']
    const inGerman = byAttribute('select', { language: 'de' }, dimensions)
    assert.ok(belongs(record(german, { scope: {}, value: 'blue' }), group('red'), inGerman, isGroup))
    assert.ok(!belongs(record(german, { scope: {}, value: 'blue' }), group('blue'), inGerman, isGroup))
    const open = byAttribute('select', {}, dimensions)
    assert.ok(belongs(record(german, { scope: {}, value: 'blue' }), group('blue'), open, isGroup))
  })

  it('of a state or person by that; of a category always, since the sheet does not know categories', () => {
    const byState = { kind: 'field', field: 'lifecycleStateId', workflowId: 'w' } as const
    assert.ok(belongs(record(), group('draft'), byState, isGroup))
    assert.ok(!belongs(record(), group('published'), byState, isGroup))
    assert.ok(belongs(record(), group('any'), { kind: 'catalog', catalogId: 'web' }, isGroup))
  })
})
