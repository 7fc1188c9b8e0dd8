// The search index made anew, here and now. Whenever it ends early, a server goes on from there.
import { openReader } from '../connection.ts'
import { assertNobodyElse } from '../data-directory-lock.ts'
import { assertWal } from '../integrity.ts'
import { assertCurrent } from '../migrate.ts'
import { indexFileOf } from '../search-index/follower.ts'
import { Indexer } from '../search-index/indexer.ts'

/**
 * With the directory's lock held.
 * @param onStep gets how many records are done so far, of how many
 * @throws DatabaseVersionError, DatabaseDamaged, DataDirectoryLocked
 */
export function rebuildIndex(databaseFile: string, onStep: (done: number, total: number) => void): void {
  assertWal(databaseFile)
  assertNobodyElse(databaseFile)
  const db = openReader(databaseFile)
  try {
    assertCurrent(db)
    // Numbers of deleted records count too: they are few.
    const total = db.prepare<[], number>('SELECT coalesce(max(n), 0) FROM record').pluck().get()!
    const indexer = new Indexer(db, indexFileOf(databaseFile), true)
    try {
      while (indexer.step()) {
        indexer.moveWal()
        onStep(Math.min(total, (indexer.progress.rebuilds[0]?.next ?? total + 1) - 1), total)
      }
    } finally {
      indexer.close()
    }
  } finally {
    db.close()
  }
}
