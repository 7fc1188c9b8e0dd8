// The keys of the lines of a file: each is known again, in little memory. Contract 3 §12.
import * as fc from 'fast-check'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeenKeys } from '../../src/imports/line-keys.ts'

test('a key has the line that was kept for it last, and no other key has it', () => {
  const entry = fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }))
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 500 }), fc.string({ maxLength: 3 }), (entries, other) => {
      const keys = new SeenKeys()
      for (const [key, line] of entries) keys.set(key, line)
      const expected = new Map(entries)
      for (const key of [...expected.keys(), other]) assert.equal(keys.get(key), expected.get(key))
    }),
  )
})

test('a million keys take at most 60 MB, also while their table grows', () => {
  const before = process.memoryUsage().arrayBuffers
  const keys = new SeenKeys()
  for (let line = 1; line <= 1_000_000; line += 1) keys.set(`key-${line}`, line)
  assert.equal(keys.get('key-777777'), 777_777)
  assert.equal(keys.get('key-0'), undefined)
  const grown = process.memoryUsage().arrayBuffers - before
  assert.ok(grown < 60e6, `${grown} bytes`)
})

const bits = (n: number, zero: string, one: string): string =>
  n.toString(2).padStart(20, '0').replaceAll('0', zero).replaceAll('1', one)

test('keys that differ in few characters are never taken for each other', () => {
  const keys = new SeenKeys()
  const alike = [
    (n: number) => `SKU-${n}`,
    (n: number) => String(n).padStart(12, '0'),
    (n: number) => `${n}-a`,
    (n: number) => `["sch","ean","","${4_000_000_000_000 + n * 8}"]`,
    (n: number) => String.fromCodePoint(0x4e00 + (n % 2000), 0x4e00 + Math.floor(n / 2000)),
    (n: number) => `${n % 50}/${Math.floor(n / 50).toString(36)}`,
    // These differ only in high bits of their characters.
    (n: number) => bits(n, 'A', '\u8041'),
    (n: number) => bits(n, '\0', '\u8000'),
  ]
  for (const key of alike)
    for (let n = 0; n < 300_000; n += 1) {
      const text = key(n)
      assert.equal(keys.get(text), undefined, JSON.stringify(text))
      keys.set(text, n + 1)
    }
})
