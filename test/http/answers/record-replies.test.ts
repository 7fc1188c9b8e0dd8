import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { ID_PATTERN } from '../../../src/kernel/input/validation.ts'
import { recordPageText, renderRecord } from '../../../src/http/answers/record-replies.ts'
import type { StoredRecord } from '../../../src/store/record-port.ts'

const id = fc.oneof(fc.stringMatching(ID_PATTERN), fc.constantFrom('constructor', 'toString', 'ent-1'))
const time = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const stored: fc.Arbitrary<StoredRecord> = fc.record({
  id,
  schemaId: id,
  parentId: fc.option(id),
  lifecycleStateId: id,
  createdAt: time,
  updatedAt: time,
  createdBy: id,
  updatedBy: id,
  version: fc.nat(),
  valuesJson: fc.json(),
})

function expected({ version: _version, valuesJson, ...head }: StoredRecord): unknown {
  return { ...head, values: JSON.parse(valuesJson) as unknown }
}

describe('Records as text', () => {
  it('what is put together as text is the JSON of the record, for every ID that is allowed', () => {
    fc.assert(fc.property(stored, (record) => assert.deepEqual(JSON.parse(renderRecord(record)), expected(record))))
  })

  it('a page is the JSON of its records with total, offset and limit', () => {
    fc.assert(
      fc.property(fc.array(stored), fc.nat(), (items, total) => {
        const { text } = recordPageText({ items, total }, { offset: 3, limit: 7 })
        assert.deepEqual(JSON.parse(text), { items: items.map(expected), total, offset: 3, limit: 7 })
      }),
    )
  })
})
