// What the names of a zip's files say. Contract 4 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_PATTERN } from '../../../src/imports/rules/zip-mapping.ts'
import { Grouping, inOrderOfNumbers, isSkipped, readName } from '../../../src/imports/rules/zip-names.ts'

describe('The name of a file in a zip', () => {
  it('tells a key and a number, by the usual pattern', () => {
    const names: [string, string, string][] = [
      ['SH-1.jpg', 'SH', '1'],
      ['SH-1-2.JPEG', 'SH-1', '2'],
      ['a b_007.png', 'a b', '7'],
      ['dir/SH-1.webp', 'SH', '1'],
      ['SH-0.jpg', 'SH', '0'],
    ]
    for (const [name, key, n] of names) assert.deepEqual(readName(name, DEFAULT_PATTERN), { key, n }, name)
    for (const name of ['SH.jpg', 'SH-x.jpg', 'SH-1.gif', '-1.jpg'])
      assert.throws(() => readName(name, DEFAULT_PATTERN), /does not match the pattern/, name)
  })

  it('needs no number', () => {
    assert.deepEqual(readName('SH.jpg', '^(?<key>.+?)(-(?<n>\\d+))?\\.jpg$'), { key: 'SH', n: '' })
    assert.deepEqual(readName('SH.jpg', '^(?<key>.+)\\.jpg$'), { key: 'SH', n: '' })
  })

  it('is at fault with an empty key, or a number that is none', () => {
    assert.throws(() => readName('-1.jpg', '^(?<key>\\w*)-1'), /key of the pattern is empty/)
    assert.throws(() => readName('SH-front.jpg', '^(?<key>SH)-(?<n>.+)\\.'), /'front', which is no number/)
    assert.throws(() => readName(`SH-${'9'.repeat(19)}.jpg`, DEFAULT_PATTERN), /more than 18 digits/)
  })

  it('is read with its path by a pattern with a slash', () => {
    assert.deepEqual(readName('x/SH/3.jpg', '(?<key>[^/]+)/(?<n>\\d+)\\.jpg$'), { key: 'SH', n: '3' })
  })

  it('is skipped where it is hidden, a directory, or of macOS', () => {
    for (const path of ['a/', '.x.jpg', 'a/.b/c.jpg', '__MACOSX/a.jpg', 'a//b.jpg', ''])
      assert.ok(isSkipped(path), path)
    for (const path of ['a.jpg', 'a/b.jpg', 'a b/c..jpg']) assert.ok(!isSkipped(path), path)
  })
})

describe('The files of a record', () => {
  it('are in the order of their numbers, those without a number first', () => {
    const file = fc.record({
      path: fc.string({ minLength: 1 }),
      line: fc.nat(),
      n: fc.oneof(fc.constant(''), fc.maxSafeNat().map(String)),
    })
    const property = fc.property(fc.uniqueArray(file, { selector: ({ path }) => path }), (files) => {
      const numbers = files.toSorted(inOrderOfNumbers).map(({ n }) => (n === '' ? -1 : Number(n)))
      assert.deepEqual(
        numbers,
        numbers.toSorted((one, other) => one - other),
      )
    })
    fc.assert(property)
  })

  it('are together, and in the same order each time', () => {
    const paths = ['B-2.jpg', 'A-1.jpg', 'no name', 'B-1.jpg', 'A-10.jpg', 'A-9.jpg']
    const groups = () => {
      const grouping = new Grouping(DEFAULT_PATTERN)
      for (const [index, path] of paths.entries()) grouping.add(path, index + 1)
      return [...grouping.groups()].map(({ key, files }) => [key, ...files.map(({ path, line }) => `${line} ${path}`)])
    }
    assert.deepEqual(groups(), [
      ['B', '4 B-1.jpg', '1 B-2.jpg'],
      ['A', '2 A-1.jpg', '6 A-9.jpg', '5 A-10.jpg'],
      ['', '3 no name'],
    ])
    assert.deepEqual(groups(), groups())
  })

  it('are found by a pattern that takes much work only as long as all names take little', () => {
    const grouping = new Grouping(`^(?<key>${'(a|b)'.repeat(100)}.*)`)
    for (let n = 0; n < 9000; n += 1) grouping.add(`${'ab'.repeat(100)}${n}`, n)
    const faults = [...grouping.groups()].filter(({ error }) => error !== undefined)
    assert.ok(faults.length > 0 && faults.length < 9000, `${faults.length}`)
    assert.match(faults[0]!.error!.message, /too much work/)
  })

  it('are at most 200', () => {
    const grouping = new Grouping(DEFAULT_PATTERN)
    for (let n = 1; n <= 201; n += 1) grouping.add(`A-${n}.jpg`, n)
    const [group] = [...grouping.groups()]
    assert.match(group!.error!.message, /at most 200 files: 'A' has 201/)
  })
})
