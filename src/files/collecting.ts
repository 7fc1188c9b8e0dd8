// Removes bytes that no value, no kept history and no waiting upload names: a duty of one server. Contract 4 §1, 4 §5.
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Retention, startRetention } from '../core/retention.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Reads, Store } from '../store/port.ts'
import type { ContentStore } from './content/content-store.ts'

const DAY = 86_400_000
/** Files whose bytes one step removes. */
const BATCH = 100

interface CollectingDeps {
  readonly store: Store
  readonly content: ContentStore
  readonly system: Pick<System, 'now'>
  readonly log: Log
  /** Days that history may bring a file back; 0: for ever. */
  readonly keepFilesDays: number
  /** Days that a job can be undone; 0: for ever. */
  readonly keepJobsDays: number
}

/**
 * Each step removes the bytes of files that are `leaving`, then their rows, then chooses the next ones. A server that dies in
 * between leaves files `leaving`, and the next step goes on with them.
 */
export function startFileCollecting(deps: CollectingDeps): Retention {
  const { store, content, system, log } = deps

  /** One file that cannot be removed must not keep the others. @throws UNAVAILABLE where another server collects by now */
  async function removeOne(present: Store, sha256: string): Promise<void> {
    // This server may have stood still since it read the list, and the file may have arrived again at another one.
    if (!(await present.transaction((tx) => isLeaving(tx, sha256)))) return
    try {
      await content.remove(sha256)
    } catch (error) {
      log.warn({ err: error, sha256 }, 'the bytes of an unnamed file could not be removed')
      return
    }
    await present.transaction(async (tx) => {
      if (await isLeaving(tx, sha256)) await tx.files.delete(sha256)
    })
  }

  return startRetention({
    store,
    log,
    lease: 'file-collection',
    what: 'unnamed files',
    async prepare(present) {
      await removeArrivals(content.arrivals, system.now().getTime() - DAY)
      for (let after = ''; ;) {
        const leaving = await present.read.files.listLeaving(after, BATCH)
        if (leaving.length === 0) return
        for (const { sha256 } of leaving) await removeOne(present, sha256)
        after = leaving.at(-1)!.sha256
      }
    },
    async deleteSome(tx, limit) {
      const now = system.now()
      const daysAgo = (days: number): string => new Date(now.getTime() - days * DAY).toISOString()
      const forgotten = await tx.files.forgetUploads(daysAgo(1), limit)
      const days = namedDays(deps)
      const named = days === undefined ? '' : daysAgo(days)
      const { looked, unnamed } = await tx.files.takeUnnamed(
        { now: now.toISOString(), uploaded: daysAgo(1), named },
        BATCH,
      )
      for (const file of unnamed) await tx.files.put({ ...file, state: 'leaving' }, now.toISOString())
      return forgotten + looked
    },
  })
}

/** Days that a file stays after the last value that named it; undefined: for ever. A job may end a day before its undo. */
function namedDays({ keepFilesDays, keepJobsDays }: CollectingDeps): number | undefined {
  return keepFilesDays === 0 || keepJobsDays === 0 ? undefined : Math.max(keepFilesDays, keepJobsDays + 1)
}

/** Removes what uploads of dead servers have left. @param before milliseconds since 1970 */
async function removeArrivals(directory: string, before: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name)
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < before) await rm(file, { force: true })
  }
}

async function isLeaving({ files }: Pick<Reads, 'files'>, sha256: string): Promise<boolean> {
  return (await files.get([sha256])).get(sha256)?.state === 'leaving'
}
