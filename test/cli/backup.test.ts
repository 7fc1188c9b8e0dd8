// `pimlet backup` and `pimlet restore` as processes: what they print, and what is left of one that is killed, or has no
// room. Contract 2 §8.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openWriter } from '../../src/store/sqlite/connection.ts'
import { send } from '../helpers/answers.ts'
import { keyClient } from '../helpers/client.ts'
import { assertEnds, type CommandResult, runCommand } from '../helpers/command.ts'
import { PROGRAM } from '../helpers/program.ts'
import { ADMIN_KEY, startServer, type TestServer } from '../helpers/server.ts'
import { mountSmallDisk, NOT_PERMITTED } from '../helpers/small-disk.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const restore = (file: string, dataDir: string): Promise<CommandResult> =>
  runCommand(['restore', file, '--data-dir', dataDir])
const fresh = (): string => path.join(makeTempDirectory(), 'data')

describe('pimlet backup and pimlet restore', { timeout: 600_000 }, () => {
  let large: TestServer
  let file: string
  before(async () => {
    large = await startServer({ maxRecords: 0 })
    const db = openWriter(path.join(large.dataDir, 'pimlet.db'), { durable: false })
    const insert = db.prepare('INSERT INTO catalog (id, document) VALUES (?, ?)')
    for (let n = 0; n < 150; n += 1)
      insert.run(`cat-${n}`, JSON.stringify({ id: `cat-${n}`, name: 'x'.repeat(200_000) }))
    db.close()
    file = path.join(makeTempDirectory(), 'large.pimlet')
    const made = await runCommand(['backup', file, '--data-dir', large.dataDir])
    const megabytes = (statSync(file).size / 1e6).toFixed(1)
    assert.deepEqual(made, { status: 0, stdout: `${file}: 0 records, ${megabytes} MB, checked\n`, stderr: '' })
  })
  after(() => large.stop())

  /** Again after `prepare` where the command was over before it could be killed, as on a machine that stood still. */
  async function killWhen(
    args: string[],
    isTime: () => boolean,
    signal: NodeJS.Signals,
    prepare: () => void,
  ): Promise<void> {
    for (let tries = 0; tries < 10; tries += 1) {
      prepare()
      const child = spawn(process.execPath, [PROGRAM, ...args])
      const ended = once(child, 'exit')
      while (!isTime() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1))
      child.kill(signal)
      await ended
      if (child.exitCode !== 0) return
    }
    assert.fail('it always ended before it could be killed')
  }

  it('killed in the middle leaves no file under the name, or the one that was there', async () => {
    const place = makeTempDirectory()
    const target = path.join(place, 'b')
    const prepare = (): void => writeFileSync(target, 'before')
    prepare()
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
      const args = ['backup', target, '--force', '--data-dir', large.dataDir]
      const before = readdirSync(place).length
      await killWhen(args, () => readdirSync(place).length > before, signal, prepare)
      assert.equal(readFileSync(target, 'utf8'), 'before')
      if (signal !== 'SIGKILL') assert.equal(readdirSync(place).length, before)
    }
  })

  it('killed in the middle of a restore leaves nothing that is served, and the next restore finishes', async () => {
    const dataDir = fresh()
    const restoring = path.join(dataDir, 'pimlet.db.restoring')
    await killWhen(
      ['restore', file, '--data-dir', dataDir],
      () => existsSync(restoring),
      'SIGKILL',
      () => rmSync(dataDir, { recursive: true, force: true }),
    )
    assertEnds(await runCommand(['--data-dir', dataDir, '--port', '0']), 1, 'did not finish')
    const back = await restore(file, dataDir)
    assert.deepEqual([back.status, back.stderr], [0, ''])
    assert.match(back.stdout, /: 0 records, as of \d{4}-\d\d-\d\dT[\d:.]+Z\n$/)
    assert.ok(!existsSync(restoring))
  })

  it('says that the disk is full, and leaves nothing behind', async (t) => {
    const disk = mountSmallDisk('size=10m')
    if (disk === undefined) return t.skip(NOT_PERMITTED)
    t.after(() => disk.unmount())
    assertEnds(
      await runCommand(['backup', path.join(disk.directory, 'b'), '--data-dir', large.dataDir]),
      1,
      'the disk is full',
    )
    assert.deepEqual(readdirSync(disk.directory), [])
    assertEnds(await restore(file, path.join(disk.directory, 'data')), 1, 'no space left')
    assert.deepEqual(readdirSync(disk.directory), [])
  })

  it('a server goes on taking writes meanwhile', async () => {
    const admin = keyClient(large.url, ADMIN_KEY)
    const target = path.join(makeTempDirectory(), 'c')
    const running = runCommand(['backup', target, '--data-dir', large.dataDir])
    let isOver = false
    void running.then(() => (isOver = true))
    let longest = 0
    let writes = 0
    while (!isOver) {
      const begin = performance.now()
      const answer = await send(admin, 'POST', '/api/v1/saved-queries', {
        name: `Q ${writes}`,
        criteria: [],
        criteriaOperator: 'and',
      })
      assert.equal(answer.status, 201, answer.text)
      longest = Math.max(longest, performance.now() - begin)
      writes += 1
    }
    assert.equal((await running).status, 0)
    assert.ok(writes > 10, `${writes} writes`)
    // Not a measure of speed: machines that test are busy. What a lock of the whole copy would take is longer.
    assert.ok(longest < 2000, `a write took ${Math.round(longest)} ms`)
  })
})
