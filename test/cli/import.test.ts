// `pimlet import`: files, formats, what it prints and how it ends. Contract 2 §8.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { send } from '../helpers/answers.ts'
import { type CommandResult, runCommand } from '../helpers/command.ts'
import { lines } from '../helpers/importing.ts'
import { ADMIN_KEY } from '../helpers/server.ts'
import { everywhere, readRecord, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const directory = makeTempDirectory()
let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

function file(name: string, content: string | Buffer): string {
  const full = path.join(directory, name)
  writeFileSync(full, content)
  return full
}

const shirt = (id: string, values: object = {}) => ({ id, schemaId: 'sch-shirt', values })
const importFile = (args: string[], input?: string | Buffer): Promise<CommandResult> =>
  runCommand(['import', ...args], { env: { PIMLET_URL: shop.url, PIMLET_API_KEY: ADMIN_KEY }, ...(input && { input }) })

/** Exactly one line on standard error, no stack. */
function assertFails(result: CommandResult, status: number, expected: RegExp): void {
  assert.equal(result.status, status, result.stderr)
  assert.equal(result.stdout, '')
  assert.match(result.stderr, expected)
  assert.match(result.stderr, /^pimlet: [^\n]+\n$/)
}

describe('pimlet import', () => {
  it('creates the records of a file and prints how many', async () => {
    const name = file('good.jsonl', lines(shirt('i-1', { weight: everywhere(1) }), shirt('i-2')))
    const result = await importFile([name])
    assert.deepEqual(result, { status: 0, stdout: 'created 2, updated 0, unchanged 0, failed 0\n', stderr: '' })
    assert.deepEqual((await readRecord(shop.admin, 'i-1')).values, { weight: everywhere(1) })
  })

  it('shows control characters of a line escaped', async () => {
    const name = file('controls.ndjson', lines(shirt('a\u001b[2J\u009bb'), shirt('c-1', { 'no\u0007\u007f': [] })))
    const { stderr } = await importFile([name])
    assert.doesNotMatch(stderr.replaceAll('\n', ''), /\p{Cc}/u)
    assert.match(stderr, /^line 1 \(a\\u001b\[2J\\u009bb\): /)
    assert.match(stderr, /no\\u0007\\u007f/)
  })

  it('lists the first lines that failed, and ends with status 1', async () => {
    const bad = Array.from({ length: 30 }, (_, index) => shirt(`f-${index}`, { weight: everywhere(-1) }))
    const result = await importFile([file('bad.ndjson', lines(shirt('f-good'), 'no json', ...bad))])
    assert.equal(result.status, 1)
    assert.equal(result.stdout, 'created 1, updated 0, unchanged 0, failed 31\n')
    const told = result.stderr.trimEnd().split('\n')
    assert.equal(told.length, 22)
    assert.equal(told[0], 'line 2: VALIDATION_ERROR: The line is not valid JSON')
    assert.match(told[1]!, /^line 3 \(f-0\): VALIDATION_ERROR: values\.weight/)
    assert.equal(told[20], '… and 11 lines more that failed')
    assert.equal(told[21], 'pimlet: 31 of 32 lines failed')
  })

  it('knows csv by its name, takes mode, schema and dry run', async () => {
    const name = file('shirts.csv', 'id,weight\ni-1,5\nc-1,6\n')
    const flags = ['--mode', 'upsert', '--schema', 'sch-shirt']
    const dry = await importFile([name, ...flags, '--dry-run'])
    assert.equal(dry.stdout, 'dry run, nothing is written: created 1, updated 1, unchanged 0, failed 0\n')
    assert.equal((await send(shop.admin, 'GET', '/api/v1/records/c-1')).status, 404)
    const real = await importFile([name, ...flags])
    assert.equal(real.stdout, 'created 1, updated 1, unchanged 0, failed 0\n')
    assert.equal((await importFile([name, ...flags])).stdout, 'created 0, updated 0, unchanged 2, failed 0\n')
  })

  it('unpacks gzip, whatever the name, and reads standard input', async () => {
    const packed = gzipSync(lines(shirt('z-1')))
    assert.equal((await importFile([file('packed.jsonl.gz', packed)])).status, 0)
    const piped = await importFile(['-', '--format', 'ndjson'], gzipSync(lines(shirt('z-2'))))
    assert.equal(piped.stdout, 'created 1, updated 0, unchanged 0, failed 0\n')
    const csv = await importFile(['-', '--format', 'csv'], 'id,schemaId\nz-3,sch-shirt\n')
    assert.equal(csv.status, 0)
    for (const id of ['z-1', 'z-2', 'z-3']) await readRecord(shop.admin, id)
  })

  it('takes an empty file', async () => {
    const result = await importFile([file('empty.jsonl', '')])
    assert.equal(result.stdout, 'created 0, updated 0, unchanged 0, failed 0\n')
  })

  it('ends with one clear line and status 1 for a file that cannot be read', async () => {
    assertFails(await importFile([path.join(directory, 'gone.jsonl')]), 1, /gone\.jsonl: there is no such file/)
    assertFails(await importFile([directory, '--format', 'csv']), 1, /it is a directory/)
    const damaged = gzipSync(lines(...Array.from({ length: 2000 }, (_, index) => shirt(`dmg-${index}`))))
    assertFails(await importFile([file('cut.jsonl.gz', damaged.subarray(0, -20))]), 1, /gzip file ends too early/)
  })

  it('ends with one clear line and status 1 for a server that refuses or is not there', async () => {
    const name = file('one.jsonl', lines(shirt('never')))
    const env = { PIMLET_URL: shop.url }
    const wrongKey = await runCommand(['import', name, '--api-key', 'wrong'], { env })
    assertFails(wrongKey, 1, /401 UNAUTHORIZED: /)
    assert.ok(!wrongKey.stderr.includes('wrong'))
    assertFails(await importFile([file('bad.csv', 'id,nope\n')]), 1, /400 VALIDATION_ERROR: .*nope/)
    assertFails(await importFile([name, '--url', 'http://127.0.0.1:1']), 1, /127\.0\.0\.1:1: nothing listens there/)
    const large = file('large.csv', `id,nope\n${'x,y\n'.repeat(2_000_000)}`)
    assertFails(await importFile([large]), 1, /400 VALIDATION_ERROR: .*nope/)
  })

  it('ends with status 1 where there would be more records than there may be, also of a dry run', async () => {
    const small = await startWorkspace({ maxRecords: 2 })
    try {
      const env = { PIMLET_URL: small.url, PIMLET_API_KEY: ADMIN_KEY }
      const name = file('many.jsonl', lines(shirt('m-1'), shirt('m-2'), shirt('m-3')))
      for (const failed of [[], ['--failed', path.join(directory, 'many-failed.jsonl')]]) {
        const dry = await runCommand(['import', name, '--dry-run', ...failed], { env })
        assert.deepEqual([dry.status, dry.stdout.split(', updated')[0]], [1, 'dry run, nothing is written: created 3'])
        const run = await runCommand(['import', name, ...failed], { env })
        assertFails(run, 1, /LIMIT_EXCEEDED/)
        for (const { stderr } of [dry, run]) assert.match(stderr, /there would be 3 records, and there may be 2/)
      }
    } finally {
      await small.stop()
    }
  })

  it('says so when the connection is cut', async () => {
    const server = createServer((request) => request.socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const name = file('cut.jsonl', lines(shirt('never')))
    assertFails(await importFile([name, '--url', `http://127.0.0.1:${port}`]), 1, /the connection was cut/)
    server.close()
  })

  it('ends with status 2 where it is used wrongly', async () => {
    const name = file('used.jsonl', '')
    assertFails(await importFile([]), 2, /needs <file>/)
    assertFails(await importFile([name, '--mode', 'replace']), 2, /--mode must be one of create, upsert/)
    assertFails(await importFile([name, '--dryrun']), 2, /--dryrun; did you mean --dry-run\?/)
    assertFails(await importFile([file('data.json', '[]')]), 2, /--format is required.*one record a line/)
    assertFails(await importFile([name, '--url', 'ftp://x']), 2, /--url must be/)
    assertFails(await runCommand(['import', name]), 2, /PIMLET_API_KEY/)
  })

  it('teaches by example', async () => {
    const { status, stdout } = await runCommand(['import', '--help'])
    assert.equal(status, 0)
    for (const part of ['--dry-run', 'upsert', 'pimlet import shirts.jsonl', 'PIMLET_API_KEY'])
      assert.ok(stdout.includes(part), part)
  })
})
