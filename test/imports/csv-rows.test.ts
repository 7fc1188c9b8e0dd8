// Rows and cells of csv files, in whatever parts the bytes come: what csv-parse reads, this reads.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { readCsvLines } from '../../src/imports/readers/csv-lines.ts'
import { CsvRowEnds, readCells } from '../../src/imports/readers/csv-rows.ts'
import { type LineEnds, plainLineEnds, splitLines } from '../../src/kernel/json/line-splitter.ts'
import { threadTime } from '../helpers/thread-time.ts'

/** `bytes` in parts that end at `cuts`. */
async function* inParts(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer, void> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((one, other) => one - other)
  let from = 0
  for (const end of [...ends, bytes.length]) {
    if (end > from) yield bytes.subarray(from, end)
    from = end
  }
}

async function split(text: string, cuts: readonly number[], ends: LineEnds, maxBytes = 1e6) {
  const found: { line: number; text: string | undefined }[] = []
  for await (const some of splitLines(inParts(Buffer.from(text), cuts), maxBytes, ends))
    for (const { line, bytes } of some) found.push({ line, text: bytes?.toString() })
  return found
}

const cuts = fc.array(fc.nat(10_000), { maxLength: 30 })
const cell = fc.oneof(
  fc.constant(null),
  fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '😀', ';', '\uFEFF'), maxLength: 8 }),
)
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))

/** As RFC 4180 has it; nothing for null. */
function writeCell(text: string | null): string {
  if (text === null) return ''
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

describe('Rows of a csv', () => {
  it('are what was written, in whatever parts they come, and what csv-parse reads', async () => {
    const property = fc.asyncProperty(table, cuts, fc.constantFrom('\r\n', '\n'), async (rows, at, delimiter) => {
      fc.pre(rows[0]![0]?.startsWith('\uFEFF') !== true)
      const text = rows.map((row) => row.map(writeCell).join(',') + delimiter).join('')
      const read = (await split(text, at, new CsvRowEnds())).map((row) => readCells(row.text!))
      assert.deepEqual(read, rows)
      const foreign: unknown = parse(text, {
        record_delimiter: delimiter,
        cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
      })
      assert.deepEqual(read, foreign)
    })
    await fc.assert(property, { numRuns: 500 })
  })

  it('have long cells full of quotes read as short ones are', () => {
    for (const part of ['"', 'a"', '"ö😀', 'a'])
      for (const count of [3, 5000]) {
        const cell = part.repeat(count)
        assert.deepEqual(readCells(`${writeCell(cell)},b,"${'""'.repeat(count)}"`), [cell, 'b', '"'.repeat(count)])
      }
  })

  it('are the same in any parts, even where they are malformed', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r'), maxLength: 40 })
    const property = fc.asyncProperty(text, cuts, async (drawn, at) => {
      assert.deepEqual(await split(drawn, at, new CsvRowEnds()), await split(drawn, [], new CsvRowEnds()))
    })
    await fc.assert(property, { numRuns: 1000 })
  })

  it('say at which line they begin', async () => {
    const rows = await split('a,"1\n2"\n\n"\n\n",b\nc', [3, 6, 9], new CsvRowEnds())
    assert.deepEqual(
      rows.map(({ line }) => line),
      [1, 3, 4, 7],
    )
  })

  it('longer than the limit are passed over to their end', async () => {
    const text = `a,b\n"${'x\n'.repeat(50)}",b\nc,"d"\n`
    for (const at of [[], [10, 30, 60], [4, 5, 6, 7, 104, 105, 106]]) {
      const rows = await split(text, at, new CsvRowEnds(), 20)
      assert.deepEqual(rows, [
        { line: 1, text: 'a,b' },
        { line: 2, text: undefined },
        { line: 53, text: 'c,"d"' },
      ])
    }
  })

  it('tell an empty cell from an empty text', () => {
    assert.deepEqual(readCells(''), [null])
    assert.deepEqual(readCells('""'), [''])
    assert.deepEqual(readCells('a,,"",'), ['a', null, '', null])
    assert.deepEqual(readCells('"",'), ['', null])
  })

  it('with misplaced quotes are refused, saying in which cell', () => {
    for (const text of ['a,b"c', '"a"b,c', 'a,"b', '"', 'a,"b""'])
      assert.throws(() => readCells(text), /[Cc]ell [12]/, text)
  })
})

describe('Lines of a file', () => {
  it('are the same in any parts', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '\uFEFF'), maxLength: 40 })
    const property = fc.asyncProperty(text, cuts, async (drawn, at) => {
      const found = await split(drawn, at, plainLineEnds)
      const whole = drawn.startsWith('\uFEFF') ? drawn.slice(1) : drawn
      const expected = whole.split('\n').map((part) => part.replace(/\r$/, ''))
      if (whole.endsWith('\n') || drawn === '') expected.pop()
      assert.deepEqual(
        found.map((one) => one.text),
        expected,
      )
      assert.deepEqual(
        found.map(({ line }) => line),
        expected.map((_, index) => index + 1),
      )
    })
    await fc.assert(property, { numRuns: 500 })
  })

  it('longer than the limit are passed over, and nothing of them is kept', async () => {
    const found = await split(`a\n${'x'.repeat(100)}\n${'y'.repeat(10)}\n`, [20, 40, 60], plainLineEnds, 10)
    assert.deepEqual(
      found.map(({ text }) => text),
      ['a', undefined, 'y'.repeat(10)],
    )
  })

  it('that are short or empty take little time', async () => {
    const body = Buffer.from(`a,b\n${'\r\n'.repeat(1_000_000)}${'c,d\n'.repeat(300_000)}`)
    const chunks = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, index) =>
      body.subarray(index * 65_536, (index + 1) * 65_536),
    )
    const started = threadTime()
    const source = { chunks: Readable.from(chunks), maxPart: 1e6, maxValues: 1e5, enter: undefined }
    let count = 0
    for await (const some of readCsvLines(source, { decimal: '.' }).lines) count += [...some].length
    assert.equal(count, 300_001)
    assert.ok(threadTime() - started < 2000, `${threadTime() - started} ms`)
  })
})
