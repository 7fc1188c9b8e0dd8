// Restoring from the history: `console/record/past.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AuditEntry,
  differences,
  lastVersion,
  originPlace,
  restoreEntry,
  restoreMoment,
  restoreValue,
  valueChanges,
  versionBefore,
} from '../../../console/record/past.ts'

const de = { language: 'de' }
const change = { attributeAlias: 'name', scope: de, oldValue: 'Tee', newValue: 'Tea' }
const entry = (version: number, rest: object = {}): AuditEntry => ({
  id: `aud-${version}`,
  entityId: 'tea',
  userId: 'usr',
  timestamp: '2026-01-01T00:00:00.000Z',
  action: 'update',
  changes: [change],
  origin: { kind: 'api' },
  ...rest,
  version,
})

describe('Y2 the history of a record', () => {
  it('puts back what an entry found, which is the version of the entry before it', () => {
    const entries = [entry(90), entry(40), entry(7, { action: 'create' })]
    assert.deepEqual(
      entries.map((_, index) => versionBefore(entries, index)),
      [40, 7, undefined],
    )
    assert.equal(versionBefore([entry(90)], 0), undefined)
    assert.deepEqual(restoreValue(40, change), { version: 40, attributeAliases: ['name'], scopes: [de] })
    assert.deepEqual(restoreMoment(entries[1]!), { version: 40 })
  })

  it('puts back all that an entry changed; a move between states is no value', () => {
    const both = entry(9, {
      changes: [change, { ...change, scope: {} }, { ...change, attributeAlias: 'sku', scope: {} }],
    })
    assert.deepEqual(restoreEntry(7, both), { version: 7, attributeAliases: ['name', 'sku'], scopes: [de, {}] })
    const move = entry(9, { action: 'transition' })
    assert.deepEqual([valueChanges(move), restoreEntry(7, move)], [[], undefined])
  })

  it('knows the last version of a record that was deleted', () => {
    assert.equal(lastVersion([entry(9, { action: 'delete' }), entry(5)]), 5)
    assert.equal(lastVersion([entry(9), entry(5)]), undefined)
  })

  it('Y3 leads to the import or job behind a change', () => {
    const of = (kind: string, id?: string) =>
      originPlace(entry(1, { origin: { kind, ...(id === undefined ? {} : { id }) } }))
    assert.deepEqual(of('import', 'imp-1'), { place: 'imports', id: 'imp-1' })
    assert.deepEqual(of('undo', 'bulk-1'), { place: 'bulk', id: 'bulk-1' })
    assert.equal(of('import'), undefined)
    assert.equal(of('restore', '3'), undefined)
  })

  it('says what a way back to a moment would change', () => {
    const now = { name: [{ scope: de, value: 'Tea' }], sku: [{ scope: {}, value: 'A' }] }
    assert.deepEqual(differences(now, { name: [{ scope: de, value: 'Tee' }], kind: [{ scope: {}, value: 1 }] }), [
      { ...change, oldValue: 'Tea', newValue: 'Tee' },
      { attributeAlias: 'sku', scope: {}, oldValue: 'A', newValue: null },
      { attributeAlias: 'kind', scope: {}, oldValue: null, newValue: 1 },
    ])
  })
})
