import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseDate, parseDateTime, parseMoment, parseMomentOrDay } from '../../../src/core/values/dates.ts'

test('a day that the calendar has is its first millisecond in UTC', () => {
  assert.equal(parseDate('1970-01-01'), 0)
  assert.equal(parseDate('2024-02-29'), Date.UTC(2024, 1, 29))
  assert.equal(parseDate('0099-12-31'), Date.parse('0099-12-31T00:00:00Z'))
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }),
      (date) => {
        const day = date.toISOString().slice(0, 10)
        assert.equal(parseDate(day), Date.parse(`${day}T00:00:00Z`))
      },
    ),
  )
})

test('a day that the calendar does not have is no date', () => {
  const wrong = [
    '2023-02-29',
    '1900-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-00-10',
    '2024-13-01',
    '2024-01-00',
    '2024-01-32',
  ]
  for (const text of wrong) assert.equal(parseDate(text), undefined, text)
  assert.equal(parseDate('2000-02-29'), Date.UTC(2000, 1, 29))
})

test('a date is written YYYY-MM-DD and nothing else', () => {
  const wrong = [
    '',
    '2024-1-01',
    '24-01-01',
    '2024/01/01',
    '20240101',
    ' 2024-01-01',
    '2024-01-01\n',
    '2024-01-01Z',
    '+2024-01-01',
  ]
  for (const text of wrong) assert.equal(parseDate(text), undefined, JSON.stringify(text))
})

test('a date and time is what Date makes of it, to the millisecond', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
      (date) => {
        assert.equal(parseDateTime(date.toISOString()), date.getTime())
      },
    ),
    { numRuns: 2000 },
  )
})

test('an offset counts from UTC, and without one it is UTC', () => {
  const noon = Date.UTC(2024, 0, 1, 12)
  for (const text of [
    '2024-01-01T12:00:00Z',
    '2024-01-01T12:00:00',
    '2024-01-01T12:00',
    '2024-01-01T13:00+01:00',
    '2024-01-01T17:45:00+0545',
    '2024-01-01T08:30:00.000-03:30',
    '2024-01-02T00:00:00+12:00',
    '2024-01-01T12:00:00-00:00',
  ])
    assert.equal(parseDateTime(text), noon, text)
})

test('digits below the millisecond are accepted and cut off', () => {
  assert.equal(parseDateTime('1970-01-01T00:00:00.0019Z'), 1)
  assert.equal(parseDateTime('1970-01-01T00:00:00.999999999Z'), 999)
  assert.equal(parseDateTime('1970-01-01T00:00:00.5Z'), 500)
})

test('a time that does not exist is refused', () => {
  for (const text of [
    '2024-01-01T24:00:00Z',
    '2024-01-01T12:60:00Z',
    '2024-01-01T12:00:60Z',
    '2024-01-01T12:00:00+24:00',
    '2024-01-01T12:00:00+01:60',
    '2023-02-29T12:00:00Z',
    '2024-01-01 12:00:00Z',
    '2024-01-01T12Z',
    '2024-01-01T12:00:00.Z',
    '2024-01-01T12:00:00.0000000000Z',
    '2024-01-01T12:00:00z',
    '2024-01-01',
    '',
  ])
    assert.equal(parseDateTime(text), undefined, text)
})

test('a moment is written in UTC with milliseconds, and only where its year has four digits', () => {
  assert.equal(parseMoment('2024-01-01T00:30:00.5+01:00'), '2023-12-31T23:30:00.500Z')
  assert.equal(parseMoment('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z')
  for (const text of [
    '9999-12-31T23:59:59-00:01',
    '0000-01-01T00:00:00+00:01',
    '2024-02-30T00:00:00Z',
    `2024-01-01T00:00:00.${'0'.repeat(60)}Z`,
  ])
    assert.equal(parseMoment(text), undefined, text)
})

test('a date names its first moment in UTC where a moment is asked for', () => {
  assert.equal(parseMomentOrDay('2024-02-29'), '2024-02-29T00:00:00.000Z')
  assert.equal(parseMomentOrDay('2024-02-29T12:00+01:00'), '2024-02-29T11:00:00.000Z')
  for (const text of ['2023-02-29', '2024', '']) assert.equal(parseMomentOrDay(text), undefined, text)
})
