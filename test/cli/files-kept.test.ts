// The bytes of files in pimlet backup, restore and doctor. Contract 4 §5.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type CommandResult, runCommand } from '../helpers/command.ts'
import { ask, uploaded } from '../helpers/files.ts'
import { everywhere, make, type RecordBody } from '../helpers/shirts.ts'
import { ADMIN_KEY, startServer, type TestServer } from '../helpers/server.ts'
import { keyClient } from '../helpers/client.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const bytesIn = (directory: string, sha256: string): string => path.join(directory, sha256.slice(0, 2), sha256)

describe('The bytes of files', { timeout: 300_000 }, () => {
  let server: TestServer
  const files: { sha256: string; recordId: string; text: string }[] = []
  before(async () => {
    server = await startServer({ maxRecords: 0 })
    await make(server.admin, '/api/v1/schemas', {
      id: 'sch-picture',
      name: 'Picture',
      attributes: [{ alias: 'content', dataType: 'file' }],
    })
    for (const text of ['first', 'second']) await add(text)
  })
  after(() => server.stop())

  async function add(text: string): Promise<void> {
    const value = await uploaded(server.admin, text)
    const values = { content: everywhere(value) }
    const { id } = await make<RecordBody>(server.admin, '/api/v1/records', { schemaId: 'sch-picture', values })
    files.push({ sha256: value.sha256, recordId: id, text })
  }

  const doctor = async (
    dataDir: string,
  ): Promise<{ status: number | null; content: { status: string; findings: string[] } }> => {
    const { status, stdout } = await runCommand(['doctor', '--data-dir', dataDir, '--json'])
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; findings: string[] }[] }
    return { status, content: checks.find(({ name }) => name === 'content')! }
  }

  it('are copied by a backup where its directory lacks them, and come back with a restore', async () => {
    const [place, copies] = [makeTempDirectory(), path.join(makeTempDirectory(), 'copies')]
    const backUp = (name: string): Promise<CommandResult> =>
      runCommand(['backup', path.join(place, name), '--data-dir', server.dataDir, '--files', copies])
    assert.match((await backUp('one')).stdout, /2 files copied, 0 were there/)
    await add('third')
    const second = await backUp('two')
    assert.deepEqual([second.status, second.stderr], [0, ''])
    assert.match(second.stdout, /1 files copied, 2 were there/)
    const restored = path.join(makeTempDirectory(), 'data')
    const result = await runCommand(['restore', path.join(place, 'two'), '--data-dir', restored, '--files', copies])
    assert.deepEqual([result.status, result.stderr], [0, ''])
    assert.match(result.stdout, /3 files copied, 0 were there/)
    const other = await startServer({ dataDir: restored })
    const reader = keyClient(other.url, ADMIN_KEY)
    for (const { sha256, recordId, text } of files)
      assert.equal((await ask(reader, `/api/v1/records/${recordId}/files/${sha256}`)).bytes.toString(), text)
    await other.stop()
    assert.deepEqual((await doctor(restored)).content.status, 'ok')
  })

  it('that are damaged in the copies are told by a restore, and not taken', async () => {
    const [place, copies] = [makeTempDirectory(), path.join(makeTempDirectory(), 'copies')]
    await runCommand(['backup', path.join(place, 'one'), '--data-dir', server.dataDir, '--files', copies])
    const [first, second] = files as [(typeof files)[0], (typeof files)[0]]
    writeFileSync(bytesIn(copies, first.sha256), 'fIrst')
    rmSync(bytesIn(copies, second.sha256))
    const restored = path.join(makeTempDirectory(), 'data')
    const result = await runCommand(['restore', path.join(place, 'one'), '--data-dir', restored, '--files', copies])
    assert.equal(result.status, 1)
    assert.match(result.stdout, new RegExp(`${first.sha256} is damaged in `))
    assert.match(result.stdout, new RegExp(`${second.sha256} is missing in `))
    const { status, content } = await doctor(restored)
    assert.deepEqual([status, content.status], [1, 'problem'])
    assert.deepEqual(
      content.findings.toSorted(),
      [first, second].map(({ sha256 }) => `${sha256} is missing`).toSorted(),
    )
  })

  it('are told of by doctor: damaged ones as a problem, strange ones as a warning', async () => {
    const own = path.join(server.dataDir, 'files')
    assert.deepEqual((await doctor(server.dataDir)).content.findings, [])
    const folder = files[0]!.sha256.slice(0, 2)
    writeFileSync(path.join(own, folder, folder + '0'.repeat(62)), 'a stranger')
    const warned = await doctor(server.dataDir)
    assert.deepEqual([warned.status, warned.content.status, warned.content.findings.length], [0, 'warning', 1])
    const file = bytesIn(own, files[0]!.sha256)
    const whole = readFileSync(file)
    writeFileSync(file, 'fIrst')
    const { status, content } = await doctor(server.dataDir)
    assert.deepEqual([status, content.status], [1, 'problem'])
    assert.deepEqual(content.findings, [`${files[0]!.sha256} is damaged`])
    writeFileSync(file, whole)
  })
})
