import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATA_TYPE_NAMES } from '../../src/domain/datatype-names.ts'
import { dataTypes } from '../../src/domain/datatypes.ts'

test('the data types are those of the decisions, and each has its meaning', () => {
  const named = 'text richText url number boolean date dateTime select multiSelect price measurement reference json'
  assert.deepEqual(DATA_TYPE_NAMES.join(' '), named)
  assert.deepEqual(Object.keys(dataTypes), [...DATA_TYPE_NAMES])
})
