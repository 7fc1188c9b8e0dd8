// What stands in the way of a start: one line that names it, the documented exit status, and every file as it was.
// Contract 2 §8.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { StartError } from '../../src/kernel/machine/start-error.ts'
import { openWriter } from '../../src/store/sqlite/connection.ts'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { startServer } from '../helpers/server.ts'
import { mountSmallDisk, NOT_PERMITTED } from '../helpers/small-disk.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { addWords, copyOf, overwrite, startWithWords } from '../helpers/words.ts'

/** Workspaces that were stopped in order; killed, with a part of it in the log; and killed early, with all of it there. */
let stopped: string
let killed: string
let young: string
before(async () => {
  const server = await startWithWords('old', 200)
  young = copyOf(server.dataDir)
  const again = await server.restart()
  await addWords(again.admin, 'new', 9)
  killed = copyOf(server.dataDir)
  await again.stop()
  stopped = server.dataDir
})

/** The digest of each file. What a process has for itself while it looks is not of the workspace: its lock, and what an empty log needs. */
function contentsOf(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const facts = statSync(path.join(directory, name))
    return facts.isFile() && facts.size > 0 && !name.startsWith('lock.') && !name.endsWith('-shm')
  })
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(path.join(directory, name)))
      .digest('hex')
  return new Map(names.sort().map((name) => [name, digest(name)]))
}

function replaceByDirectory(name: string): void {
  rmSync(name, { force: true })
  mkdirSync(name)
}

function inDatabase(file: string, sql: string): void {
  const db = openWriter(file, { durable: true })
  db.exec(sql)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

interface Fault {
  readonly what: string
  /** A stopped one unless told. */
  readonly workspace?: 'killed' | 'young'
  readonly damage: (file: (name: string) => string) => void
  readonly named: readonly string[]
}

const DAMAGED = ['pimlet.db', 'is damaged', 'restore a backup']
const LOST = ['pimlet.db', 'missing or empty', 'search-index.db']
const WAL = ['pimlet.db-wal is damaged', 'restore a backup']

const faults: Fault[] = [
  { what: 'a database with a damaged header', damage: (file) => overwrite(file('pimlet.db'), 0, 100), named: DAMAGED },
  { what: 'a database that is text', damage: (file) => writeFileSync(file('pimlet.db'), 'no'), named: DAMAGED },
  { what: 'a database that is cut off', damage: (file) => truncateSync(file('pimlet.db'), 40_960), named: DAMAGED },
  {
    what: 'a database with a damaged page in the middle',
    damage: (file) => overwrite(file('pimlet.db'), 4096 * Math.floor(statSync(file('pimlet.db')).size / 8192), 4096),
    named: DAMAGED,
  },
  {
    what: 'a damaged database of a server that was killed',
    workspace: 'killed',
    damage: (file) => overwrite(file('pimlet.db'), 4096 * Math.floor(statSync(file('pimlet.db')).size / 8192), 4096),
    named: DAMAGED,
  },
  { what: 'a database that is empty', damage: (file) => truncateSync(file('pimlet.db'), 0), named: LOST },
  { what: 'a database that is gone', damage: (file) => rmSync(file('pimlet.db')), named: LOST },
  {
    what: 'a wal that is gone with all there was',
    workspace: 'young',
    damage: (file) => rmSync(file('pimlet.db-wal')),
    named: LOST,
  },
  {
    what: 'a directory for a database',
    damage: (file) => replaceByDirectory(file('pimlet.db')),
    named: ['not a file'],
  },
  { what: 'a damaged wal', workspace: 'killed', damage: (file) => overwrite(file('pimlet.db-wal'), 4, 8), named: WAL },
  {
    what: 'a wal that is text',
    damage: (file) => writeFileSync(file('pimlet.db-wal'), 'no wal '.repeat(9)),
    named: WAL,
  },
  {
    what: 'a database of a newer version',
    damage: (file) => inDatabase(file('pimlet.db'), 'PRAGMA user_version = 9999'),
    named: ['pimlet.db', 'newer pimlet', '9999'],
  },
  {
    what: 'a database of something else',
    damage: (file) => {
      rmSync(file('pimlet.db'))
      inDatabase(file('pimlet.db'), 'CREATE TABLE something (a)')
    },
    named: ['pimlet.db', 'not pimlet'],
  },
  { what: 'a missing key', damage: (file) => rmSync(file('signing.key')), named: ['signing.key is missing'] },
  {
    what: 'a short key',
    damage: (file) => writeFileSync(file('encryption.key'), 'c2hvcnQ=\n'),
    named: ['encryption.key is damaged'],
  },
  { what: 'an empty key', damage: (file) => writeFileSync(file('signing.key'), ''), named: ['signing.key is damaged'] },
  {
    what: 'a directory for a key',
    damage: (file) => replaceByDirectory(file('signing.key')),
    named: ['illegal operation'],
  },
  {
    what: 'a damaged lock',
    damage: (file) => writeFileSync(file('lock.db'), 'no lock '.repeat(99)),
    named: ['lock.db', 'removed'],
  },
  {
    what: 'a file for the spool',
    damage: (file) => {
      rmSync(file('spool'), { recursive: true, force: true })
      writeFileSync(file('spool'), 'mine')
    },
    named: ['spool', 'exists'],
  },
  {
    what: 'a plugin that does not load',
    damage: (file) => {
      mkdirSync(file('plugins'))
      writeFileSync(file('plugins/one.mjs'), 'throw new Error("two\\nlines")')
    },
    named: ['one.mjs', 'two\nlines'],
  },
]

describe('A start is refused in one line, and changes nothing, with', { timeout: 600_000 }, () => {
  for (const { what, workspace, damage, named } of faults)
    it(what, async () => {
      const dataDir = copyOf({ killed, young, stopped }[workspace ?? 'stopped'])
      damage((name) => path.join(dataDir, name))
      const before = contentsOf(dataDir)
      await assert.rejects(startServer({ dataDir }), (error: unknown) => {
        // Which a command prints as one line, and ends with this status.
        assert.ok(error instanceof StartError, String(error))
        assert.equal(error.exitCode, 1)
        for (const name of [dataDir, ...named])
          assert.ok(error.message.includes(name), `'${error.message}' does not name ${name}`)
        return true
      })
      assert.deepEqual(contentsOf(dataDir), before)
    })

  it('a directory on a disk that is mounted read-only', async (t) => {
    const disk = mountSmallDisk('size=10m')
    if (disk === undefined) return t.skip(NOT_PERMITTED)
    t.after(() => disk.unmount())
    const dataDir = path.join(disk.directory, 'data')
    cpSync(stopped, dataDir, { recursive: true })
    disk.makeReadOnly()
    const before = contentsOf(dataDir)
    for (const place of [dataDir, path.join(disk.directory, 'new')])
      assertEnds(await runCommand(['--data-dir', place, '--port', '0']), 1, place, 'read-only file system')
    assert.deepEqual(contentsOf(dataDir), before)
  })

  it('damage, as a process prints it', async () => {
    const dataDir = copyOf(stopped)
    truncateSync(path.join(dataDir, 'pimlet.db'), 40_960)
    assertEnds(await runCommand(['--data-dir', dataDir, '--port', '0']), 1, dataDir, ...DAMAGED)
  })
})

describe(
  'Settings that cannot be used are status 2, in one line, before anything is made, as',
  { concurrency: 3 },
  () => {
    const config = (content: string): string => {
      const file = path.join(makeTempDirectory(), 'settings.json')
      writeFileSync(file, content)
      return file
    }
    const wrong: [what: string, args: string[], env: Record<string, string>, ...named: string[]][] = [
      ['a variable with a bad value', [], { PIMLET_PORT: 'http' }, 'PIMLET_PORT', '65535'],
      ['a flag twice', ['--port', '1', '--port', '2'], {}, '--port'],
      ['a config file that is no JSON', ['--config', config('{ port: 1 }')], {}, 'settings.json', 'not valid JSON'],
      ['a config file with a slip', ['--config', config('{"prot": 1}')], {}, "'prot'", "'port'"],
      ['a config file with a bad value', ['--config', config('{"max-body": "much"}')], {}, "'max-body'", '10mb'],
      ['a config file that is a directory', ['--config', makeTempDirectory()], {}, 'directory'],
    ]
    for (const [what, args, env, ...named] of wrong)
      it(what, async () => {
        const place = makeTempDirectory()
        const dataDir = path.join(place, 'never-made')
        assertEnds(await runCommand(['--data-dir', dataDir, ...args], { env }), 2, ...named)
        assert.deepEqual(readdirSync(place), [])
      })
  },
)
