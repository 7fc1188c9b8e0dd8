// A server that is killed in the very moment in which it makes its database: what it had begun is taken back at the next start.
import assert from 'node:assert/strict'
import { copyFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { openAlone } from '../../../src/store/sqlite/connection.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { openTestedStore } from '../../helpers/tested-database.ts'

/** A database of which some pages are written, and the journal that takes them back: as they lie there when the process dies. */
function leaveUnfinished(file: string): void {
  const origin = path.join(makeTempDirectory(), 'origin.db')
  writeFileSync(origin, '')
  const db = openAlone(origin)
  db.pragma('cache_size = 1')
  db.exec('BEGIN IMMEDIATE; CREATE TABLE unfinished (text TEXT)')
  const insert = db.prepare('INSERT INTO unfinished VALUES (?)')
  for (let n = 0; n < 50; n += 1) insert.run('x'.repeat(3000))
  for (const suffix of ['', '-journal']) copyFileSync(origin + suffix, file + suffix)
  db.close()
  assert.ok(statSync(file).size > 0 && statSync(`${file}-journal`).size > 0)
}

it('a database whose first transaction was cut off by a kill is begun again', async () => {
  const dataDir = makeTempDirectory()
  leaveUnfinished(path.join(dataDir, 'pimlet.db'))
  const store = await openTestedStore(dataDir)
  await store.transaction((tx) => tx.catalogs.insert({ id: 'cat-1', name: 'One' }))
  assert.equal((await store.read.catalogs.list()).length, 1)
  await store.close()
})
