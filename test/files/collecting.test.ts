// Removal of bytes that nobody names, from a store that is away for a while. Contract 4 §1, 4 §5.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startFileCollecting } from '../../src/files/collecting.ts'
import { createDirectoryStore } from '../../src/files/content/directory-store.ts'
import { awayError, type ContentStore } from '../../src/files/content/content-store.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { HOUR, makeClock } from '../helpers/clock.ts'
import { eventually } from '../helpers/puppet.ts'
import type { Lifetime } from '../helpers/shared-in-suite.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { openTestedStore } from '../helpers/tested-database.ts'

const FACTS = { mediaType: 'text/plain', size: 3, width: null, height: null, pages: null, thumbhash: null }

/** @param isStuck whether bytes cannot be removed */
async function startStage(test: Lifetime, count: number, isStuck: (sha256: string) => boolean) {
  const system = makeClock()
  const store = await openTestedStore()
  const removed: string[] = []
  const directory = createDirectoryStore(makeTempDirectory(), { isShared: false })
  await directory.prepare()
  const content: ContentStore = {
    ...directory,
    async remove(sha256) {
      removed.push(sha256)
      if (isStuck(sha256)) throw awayError('s3://pictures', 'it is away', undefined)
    },
  }
  const names = Array.from({ length: count }, (_, at) => at.toString(16).padStart(64, '0'))
  await store.transaction(async (tx) => {
    for (const sha256 of names) {
      await tx.files.put({ sha256, state: 'kept', ...FACTS }, system.now().toISOString())
      await tx.files.noteUpload({ sha256, fileName: 'a.txt' }, 'usr-1', system.now().toISOString())
    }
  })
  system.advance(49 * HOUR)
  const log = createLog({ level: 'error', format: 'json', system, write: () => undefined })
  const collecting = startFileCollecting({
    store,
    content,
    system,
    log,
    keepFilesDays: 30,
    keepJobsDays: 30,
    tryAgain: 300,
  })
  test.after(async () => {
    await collecting.stop()
    await store.close()
  })
  const left = async () => [...(await store.read.files.get(names)).values()]
  return { collecting, removed, left }
}

describe('Files that nobody names', () => {
  it('are left alone while the store is away, and go when it is there again', async (test) => {
    let isAway = true
    const { collecting, removed, left } = await startStage(test, 250, () => isAway)
    await eventually(() => removed.length >= 10)
    await collecting.work()
    assert.ok(removed.length <= 60, `${removed.length} attempts`)
    // The others can still be uploaded again.
    assert.equal((await left()).filter(({ state }) => state === 'kept').length, 150)
    isAway = false
    await eventually(async () => (await left()).length === 0)
  })

  it('go although some of them cannot be removed', async (test) => {
    const { left } = await startStage(test, 250, (sha256) => sha256.endsWith('0007'))
    await eventually(async () => (await left()).length === 1)
  })
})
