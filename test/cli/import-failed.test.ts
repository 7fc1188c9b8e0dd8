// `pimlet import --failed`: every line that fails, as it was, whatever the file; and what is said of it. Contract 3 §8.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { importInParts, newTally, tellDryRun, type ImportTally } from '../../src/cli/import-telling.ts'
import { type ImportFormat, readSourceLines } from '../../src/cli/source-lines.ts'
import type { ImportResult } from '../../src/domain/records/import.ts'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

interface Told {
  readonly tally: ImportTally
  readonly text: string
  readonly requests: number
}

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' }

async function tell(
  file: string | Buffer,
  format: ImportFormat,
  { dryRun = false, size = 65_536 } = {},
): Promise<Told> {
  let requests = 0
  const send = async (content: AsyncIterable<Buffer>): Promise<ImportResult> => {
    requests += 1
    const body = Buffer.concat(await Array.fromAsync(content))
    const headers = { 'x-service-apikey': ADMIN_KEY, 'content-type': TYPES[format] }
    const url = `${shop.url}/api/v1/records/import?dryRun=${dryRun}&schemaId=sch-shirt`
    const response = await fetch(url, { method: 'POST', headers, body })
    assert.equal(response.status, 200)
    return (await response.json()) as ImportResult
  }
  const open = () => inChunks(Buffer.from(file), size)
  const tally = newTally()
  const how = { open, format, send, shown: 20 }
  const written = await Array.fromAsync(dryRun ? tellDryRun(how, tally) : importInParts(how, tally))
  return { tally, text: Buffer.concat(written).toString('utf8'), requests }
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('An import that tells every line that fails', { timeout: 600_000 }, () => {
  it('tells 5,000 of them among others as they were, also of a dry run', async () => {
    const rows = Array.from({ length: 5600 }, (_, n) => `r-${n},${n % 28 < 25 ? -1 : n},"two\nlines ${n}"`)
    const bad = rows.filter((_, n) => n % 28 < 25)
    const csv = `id,weight,name[language=de]\r\n${rows.join('\r\n')}\r\n`
    for (const dryRun of [true, false]) {
      const { tally, text, requests } = await tell(csv, 'csv', { dryRun })
      const { errors, ...counts } = tally
      assert.deepEqual(counts, { created: 600, updated: 0, unchanged: 0, failed: 5000, fault: undefined })
      assert.deepEqual(
        errors.slice(0, 6).map(({ line, id }) => [line, id]),
        [0, 1, 2, 3, 4, 5].map((n) => [2 + 2 * n, `r-${n}`]),
      )
      assert.equal(errors.length, 20)
      const [header, ...told] = text.trimEnd().split('\r\n')
      assert.equal(header, 'id,weight,name[language=de],error,message')
      assert.equal(told.length, bad.length)
      for (const [index, row] of told.entries()) assert.ok(row.startsWith(`${bad[index]},VALIDATION_ERROR,`), row)
      assert.equal(requests, dryRun ? 5 : 6)
    }
  })

  it('keeps an object with its reason beside it, ready to be sent again, and what is no object as it is', async () => {
    const good = '{"id":"k-1","values":{}}'
    const lines = [
      good,
      '  ',
      '{ "id": "k-2", "values": { "weight": [{ "scope": {}, "value": -1.50e0 }] } }',
      'no json',
      '[1]',
      '{"id":"k-3","values":{"nope":[]},"error":"CONFLICT","message":"of \\"before\\""}',
      '{}',
      good,
    ]
    const { tally, text } = await tell(Buffer.concat([Buffer.from('\ufeff'), Buffer.from(lines.join('\n'))]), 'ndjson')
    assert.deepEqual([tally.created, tally.failed], [1, 6])
    assert.deepEqual(
      tally.errors.map(({ line }) => line),
      [3, 4, 5, 6, 7, 8],
    )
    const told = text.trimEnd().split('\n')
    assert.match(
      told[0]!,
      /^\{ "id": "k-2", "values": \{ "weight": \[\{ "scope": \{\}, "value": -1\.50e0 \}\] \},"error":"VALIDATION_ERROR","message":"values\.weight.*"\}$/,
    )
    assert.deepEqual(told.slice(1, 3), ['no json', '[1]'])
    assert.match(told[3]!, /^\{"id":"k-3","values":\{"nope":\[\]\},"error":"VALIDATION_ERROR","message":".*nope.*"\}$/)
    assert.match(told[4]!, /^\{"error":"VALIDATION_ERROR","message":".*"\}$/)
    assert.match(told[5]!, /"error":"CONFLICT"/)
    const again = await tell(text, 'ndjson')
    assert.equal(again.tally.failed, 6)
    assert.equal(again.text, text)
  })

  it('variants find parents that stand in an earlier part', async () => {
    const parents = Array.from({ length: 1001 }, (_, n) => JSON.stringify({ id: `p-${n}`, values: {} }))
    const variants = Array.from({ length: 9 }, (_, n) =>
      JSON.stringify({ id: `v-${n}`, parentId: `p-${n}`, values: {} }),
    )
    const file = [...parents, ...variants].join('\n')
    for (const dryRun of [true, false]) {
      const { tally, text } = await tell(file, 'ndjson', { dryRun })
      assert.deepEqual([tally.created, tally.failed, text], [1010, 0, ''])
    }
  })

  it('numbers the lines of a file however it is cut, and loses none of its bytes', async () => {
    const cell = fc.constantFrom('', 'a', '"q"', '"two\nlines"', '"a,""b"""', 'x"y', '"open')
    const row = fc.tuple(fc.array(cell, { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\r\n'))
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const text = rows.map(([cells, end]) => cells.join(',') + end).join('')
        const whole = await Array.fromAsync(readSourceLines(inChunks(Buffer.from(text), 10_000), 'csv'))
        const cut = await Array.fromAsync(readSourceLines(inChunks(Buffer.from(text), size), 'csv'))
        assert.deepEqual(cut, whole)
        assert.equal(Buffer.concat(cut.map(({ bytes }) => bytes)).toString(), text)
        let line = 1
        for (const found of cut) {
          assert.equal(found.line, line)
          line += found.bytes.toString().split('\n').length - 1
        }
      }),
    )
  })
})

describe('pimlet import --failed', { timeout: 600_000 }, () => {
  const run = (args: string[], env = {}) =>
    runCommand(['import', ...args], { env: { PIMLET_URL: shop.url, PIMLET_API_KEY: ADMIN_KEY, ...env } })

  it('writes the file, says so, and replaces none unless it may', async () => {
    const directory = makeTempDirectory()
    const [source, failed] = [path.join(directory, 'in.csv'), path.join(directory, 'out.csv')]
    const flags = [source, '--schema', 'sch-shirt', '--failed', failed]
    writeFileSync(source, 'id,weight\nw-1,1\nw-2,-1\n')
    const first = await run(flags)
    assert.deepEqual([first.status, first.stdout], [1, 'created 1, updated 0, unchanged 0, failed 1\n'])
    assert.match(first.stderr, new RegExp(`^line 3 \\(w-2\\): .*\npimlet: 1 of 2 lines failed: ${failed} has them\n$`))
    assert.match(readFileSync(failed, 'utf8'), /^id,weight,error,message\nw-2,-1,VALIDATION_ERROR,.*\n$/)
    assertEnds(await run(flags), 1, failed, '--force')
    // Nothing fails now: a file of before would be taken for what failed.
    writeFileSync(source, 'id,weight\nw-9,1\n')
    assert.equal((await run([...flags, '--force'])).status, 0)
    assert.ok(!existsSync(failed))
    assertEnds(await run([source, '--failed', source]), 2, 'another file')
    assertEnds(await run([source, '--failed', path.join(directory, 'none', 'x')]), 1, 'no such directory')
  })
})
