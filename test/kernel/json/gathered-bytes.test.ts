// Bytes that are kept as they arrive: src/kernel/json/gathered-bytes.ts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { GatheredBytes } from '../../../src/kernel/json/gathered-bytes.ts'

describe('Gathered bytes', () => {
  it('are what was added, in its order, and nothing is left of them', () => {
    const sizes = fc.array(fc.oneof(fc.nat(3), fc.nat(300), fc.integer({ min: 4000, max: 9000 })), { maxLength: 60 })
    fc.assert(
      fc.property(sizes, (lengths) => {
        const parts = lengths.map((length, at) => Buffer.alloc(length, at + 1))
        const gathered = new GatheredBytes()
        for (const part of parts) gathered.add(part)
        assert.equal(gathered.length, Buffer.concat(parts).length)
        assert.deepEqual(gathered.take(), Buffer.concat(parts))
        assert.equal(gathered.length, 0)
        assert.equal(gathered.take().length, 0)
      }),
    )
  })

  it('take little more memory than they have bytes, however small the parts, and whatever these were cut out of', () => {
    const gathered = new GatheredBytes()
    const large = Buffer.alloc(64 * 1024, 'x')
    const before = process.memoryUsage()
    for (let at = 0; at < 1_000_000; at += 1) gathered.add(large.subarray(at % 100, (at % 100) + 1))
    const after = process.memoryUsage()
    const grown = after.heapUsed + after.external - before.heapUsed - before.external
    assert.equal(gathered.length, 1_000_000)
    assert.ok(grown < 100_000_000, `${grown} bytes more`)
    const single = new GatheredBytes()
    single.add(large.subarray(0, 1))
    assert.ok(single.take().buffer.byteLength <= 1024)
  })
})
