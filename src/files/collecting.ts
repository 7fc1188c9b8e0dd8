// Removes bytes that no value, no kept history and no waiting upload names: a duty of one server. Contract 4 §1, 4 §5.
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { startRetention } from '../core/retention.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Reads, Store } from '../store/port.ts'
import type { Rounds } from '../store/rounds.ts'
import type { ContentStore } from './content/content-store.ts'

const DAY = 86_400_000
/** Files whose bytes one step removes. */
const BATCH = 100
/** Milliseconds until bytes that could not be removed are tried again: meanwhile nobody can upload them. */
const TRY_AGAIN = 300_000
/** After this number of failures, the store counts as away. */
const MAX_STUCK = 10

interface CollectingDeps {
  readonly store: Store
  readonly content: ContentStore
  readonly system: Pick<System, 'now'>
  readonly log: Log
  /** Days that history may bring a file back; 0: for ever. */
  readonly keepFilesDays: number
  /** Days that a job can be undone; 0: for ever. */
  readonly keepJobsDays: number
  /** Milliseconds, which tests change. */
  readonly tryAgain?: number
}

/**
 * Each step removes the bytes of files that are `leaving`, then their rows, then chooses the next ones. A server that dies in
 * between leaves files `leaving`, and the next step goes on with them. A store that is away is asked for few files, and no
 * further ones are chosen.
 */
export function startFileCollecting(deps: CollectingDeps): Rounds {
  const { store, content, system, log, tryAgain = TRY_AGAIN } = deps
  /** Files of the last step whose bytes could not be removed. */
  let stuck = 0
  let again: NodeJS.Timeout | undefined

  /**
   * One file that cannot be removed must not keep the others. Resolves to whether it is gone.
   * @throws UNAVAILABLE where another server collects by now
   */
  async function removeOne(present: Store, sha256: string): Promise<boolean> {
    // This server may have stood still since it read the list, and the file may have arrived again at another one.
    if (!(await present.transaction((tx) => isLeaving(tx, sha256)))) return true
    try {
      await content.remove(sha256)
    } catch (error) {
      log.warn({ err: error, sha256 }, 'the bytes of an unnamed file could not be removed')
      return false
    }
    await present.transaction(async (tx) => {
      if (await isLeaving(tx, sha256)) await tx.files.delete(sha256)
    })
    return true
  }

  async function removeLeaving(present: Store): Promise<void> {
    stuck = 0
    for (let after = ''; stuck < MAX_STUCK;) {
      const leaving = await present.read.files.listLeaving(after, BATCH)
      if (leaving.length === 0) return
      for (const { sha256 } of leaving) {
        if (!(await removeOne(present, sha256))) stuck += 1
        if (stuck >= MAX_STUCK) return
      }
      after = leaving.at(-1)!.sha256
    }
  }

  const rounds = startRetention({
    store,
    log,
    lease: 'file-collection',
    what: 'unnamed files',
    async prepare(present) {
      await removeArrivals(content.arrivals, system.now().getTime() - DAY)
      await removeLeaving(present)
      clearTimeout(again)
      if (stuck > 0) again = setTimeout(() => void rounds.work(), tryAgain).unref()
    },
    async deleteSome(tx, limit) {
      const now = system.now()
      const daysAgo = (days: number): string => new Date(now.getTime() - days * DAY).toISOString()
      const forgotten = await tx.files.forgetUploads(daysAgo(1), limit)
      if (stuck >= MAX_STUCK) return forgotten
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
  return {
    ...rounds,
    stop: () => {
      clearTimeout(again)
      return rounds.stop()
    },
  }
}

/** Days that a file stays after the last value that named it; undefined: for ever. A job may end a day before its undo. */
function namedDays({ keepFilesDays, keepJobsDays }: CollectingDeps): number | undefined {
  return keepFilesDays === 0 || keepJobsDays === 0 ? undefined : Math.max(keepFilesDays, keepJobsDays + 1)
}

/**
 * Removes the remains of uploads at dead servers.
 * @param before milliseconds since 1970
 */
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
