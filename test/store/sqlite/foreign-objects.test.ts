// What pimlet does not make is told from what an older or this version makes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openInMemory } from '../../../src/store/sqlite/connection.ts'
import { findForeignObjects } from '../../../src/store/sqlite/maintenance/foreign-objects.ts'
import { migrate, newestVersion } from '../../../src/store/sqlite/migrate.ts'

describe('Foreign objects', () => {
  it('are none in a new database, nor in what belongs there besides', () => {
    const db = openInMemory()
    migrate(db)
    assert.deepEqual(findForeignObjects(db), [])
    db.exec('CREATE TABLE besides (a)')
    assert.deepEqual(findForeignObjects(db, 'CREATE TABLE besides (a);'), [])
    assert.deepEqual(findForeignObjects(db), [{ description: 'table besides', isHarmless: true }])
    db.close()
  })

  it('of an older version are told from what an upgrade changes, and its upgrade is tried on nothing of the file', () => {
    const db = openInMemory()
    migrate(db)
    db.pragma(`user_version = ${newestVersion() - 1}`)
    db.exec('CREATE VIEW spy AS SELECT * FROM api_key; CREATE TABLE notes (a)')
    const found = findForeignObjects(db).map(({ description }) => description)
    assert.ok(found.includes('view spy') && found.includes('table notes'), JSON.stringify(found))
    db.close()
  })
})
