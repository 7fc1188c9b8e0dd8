// `pimlet import --failed`: every line that fails, as it was, whatever the file; and what is said of it. Contract 3 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { send } from '../helpers/answers.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { everywhere, readRecord, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

const run = (args: string[], env = {}) =>
  runCommand(['import', ...args], { env: { PIMLET_URL: shop.url, PIMLET_API_KEY: ADMIN_KEY, ...env } })

/** Imports a file, and reads what the command has kept of it. */
async function tell(name: string, content: string | Buffer, ...flags: string[]) {
  const directory = makeTempDirectory()
  const [source, failed] = [path.join(directory, name), path.join(directory, 'failed')]
  writeFileSync(source, content)
  const told = await run([source, '--schema', 'sch-shirt', '--failed', failed, ...flags])
  return { ...told, text: existsSync(failed) ? readFileSync(failed, 'utf8') : '' }
}

describe('pimlet import --failed', { timeout: 600_000 }, () => {
  it('tells 5,000 lines among others as they were, also of a dry run', async () => {
    const rows = Array.from({ length: 5600 }, (_, n) => `r-${n},${n % 28 < 25 ? -1 : n},"two\nlines ${n}"`)
    const bad = rows.filter((_, n) => n % 28 < 25)
    const csv = `id,weight,name[language=de]\r\n${rows.join('\r\n')}\r\n`
    for (const flags of [['--dry-run'], []]) {
      const { stdout, stderr, text } = await tell('many.csv', csv, ...flags)
      const what = flags.length === 1 ? 'dry run, nothing is written: ' : ''
      assert.equal(stdout, `${what}created 600, updated 0, unchanged 0, failed 5000\n`, stderr)
      const lines = [...stderr.matchAll(/^line (\d+) \((r-\d+)\)/gm)].map(([, line, id]) => [Number(line), id])
      assert.equal(lines.length, 20)
      assert.deepEqual(lines[5], [12, 'r-5'])
      const [header, ...told] = text.trimEnd().split('\r\n')
      assert.equal(header, 'id,weight,name[language=de],error,message')
      assert.equal(told.length, bad.length)
      for (const [index, row] of told.entries()) assert.ok(row.startsWith(`${bad[index]},VALIDATION_ERROR,`), row)
    }
    assert.deepEqual((await send(shop.admin, 'GET', '/api/v1/imports')).body, [])
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
    const first = await tell('k.jsonl', `\ufeff${lines.join('\n')}`)
    assert.equal(first.stdout, 'created 1, updated 0, unchanged 0, failed 6\n', first.stderr)
    assert.deepEqual(
      [...first.stderr.matchAll(/^line (\d)/gm)].map(([, line]) => Number(line)),
      [3, 4, 5, 6, 7, 8],
    )
    const told = first.text.trimEnd().split('\n')
    assert.match(
      told[0]!,
      /^\{ "id": "k-2", "values": \{ "weight": \[\{ "scope": \{\}, "value": -1\.50e0 \}\] \},"error":"VALIDATION_ERROR","message":"values\.weight.*"\}$/,
    )
    assert.deepEqual(told.slice(1, 3), ['no json', '[1]'])
    assert.match(told[3]!, /^\{"id":"k-3","values":\{"nope":\[\]\},"error":"VALIDATION_ERROR","message":".*nope.*"\}$/)
    assert.match(told[4]!, /^\{"error":"VALIDATION_ERROR","message":".*"\}$/)
    assert.match(told[5]!, /"error":"CONFLICT"/)
    const again = await tell('k.jsonl', first.text)
    // The record of the last line is there by now, and stands in this file once.
    const ofLines = (text: string) => text.split('\n').slice(0, 5)
    assert.deepEqual(ofLines(again.text), ofLines(first.text))
  })

  it('reads every line as the file has it, with the flag as without', async () => {
    const rows = Array.from({ length: 1600 }, (_, n) => `d-${n};${n === 1550 ? '1.200' : '0,5'}`)
    const csv = ['id;weight', 'd-first;1.200', ...rows, 'd-bad;x', ''].join('\n')
    for (const flags of [
      ['--mode', 'upsert'],
      ['--mode', 'upsert', '--decimal', ','],
    ]) {
      const { stdout } = await tell('decimal.csv', csv, ...flags)
      assert.match(stdout, /failed 1\n$/)
      for (const id of ['d-first', 'd-1550'])
        assert.deepEqual((await readRecord(shop.admin, id)).values['weight'], everywhere(1200))
    }
    const directory = makeTempDirectory()
    writeFileSync(path.join(directory, 'decimal.csv'), csv)
    const plain = await run([path.join(directory, 'decimal.csv'), '--schema', 'sch-shirt', '--mode', 'upsert'])
    assert.equal(plain.stdout, 'created 0, updated 0, unchanged 1601, failed 1\n', plain.stderr)
  })

  it('finds records that stand later in the file, and refuses a file that cannot be read', async () => {
    const variants = Array.from({ length: 1100 }, (_, n) => JSON.stringify({ id: `v-${n}`, parentId: 'p', values: {} }))
    const { stdout, text } = await tell('v.jsonl', [...variants, '{"id":"p","values":{}}'].join('\n'))
    assert.deepEqual([stdout, text], ['created 1101, updated 0, unchanged 0, failed 0\n', ''])
    const wrong = await tell('wrong.csv', 'id,nope\nn-1,1\n')
    assert.match(wrong.stderr, /VALIDATION_ERROR: The file has the unknown column 'nope'/)
    assert.deepEqual([wrong.status, wrong.text], [1, ''])
    assert.deepEqual((await send(shop.admin, 'GET', '/api/v1/imports')).body, [])
  })

  it('writes the file, says so, and replaces none unless it may', async () => {
    const directory = makeTempDirectory()
    const [source, failed] = [path.join(directory, 'in.csv'), path.join(directory, 'out.csv')]
    const flags = [source, '--schema', 'sch-shirt', '--failed', failed]
    writeFileSync(source, 'id,weight\nw-1,1\nw-2,-1\n')
    const first = await run(flags)
    assert.deepEqual([first.status, first.stdout], [1, 'created 1, updated 0, unchanged 0, failed 1\n'])
    assert.match(first.stderr, new RegExp(`^line 3 \\(w-2\\): .*\npimlet: 1 of 2 lines failed: ${failed} has them\n$`))
    assert.match(readFileSync(failed, 'utf8'), /^id,weight,error,message\r\nw-2,-1,VALIDATION_ERROR,.*\r\n$/)
    assertEnds(await run(flags), 1, failed, '--force')
    // Nothing fails now: a file of before would be taken for what failed.
    writeFileSync(source, 'id,weight\nw-9,1\n')
    assert.equal((await run([...flags, '--force'])).status, 0)
    assert.ok(!existsSync(failed))
    assertEnds(await run([source, '--failed', source]), 2, 'another file')
    assertEnds(await run([source, '--failed', path.join(directory, 'none', 'x')]), 1, 'no such directory')
  })
})
