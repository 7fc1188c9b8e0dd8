// Removes uploaded files after a week, and their details when jobs expire. Files that a running job needs stay.
// Contract 3 §4, 3 §10.
import { KEEP_IMPORT_DAYS, MAX_IMPORTS } from './rules/import-upload.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Store } from '../store/port.ts'
import type { Rounds } from '../store/rounds.ts'
import type { System } from '../kernel/machine/system.ts'
import { startRetention } from '../core/retention.ts'
import type { ImportFiles } from './readers/import-files.ts'
import { statusOf } from './upload-views.ts'

const DAY = 86_400_000

interface ImportRetentionDeps {
  readonly store: Store
  readonly system: Pick<System, 'now'>
  readonly log: Log
  readonly importFiles: ImportFiles
  /** Days that jobs are kept; 0: for ever. */
  readonly keepJobsDays: number
}

export function startImportRetention(deps: ImportRetentionDeps): Rounds {
  const { store, system, log, importFiles, keepJobsDays } = deps
  const daysAgo = (days: number): string => new Date(system.now().getTime() - days * DAY).toISOString()
  let kept: ReadonlySet<string> = new Set()
  return startRetention({
    store,
    log,
    lease: 'import-retention',
    what: 'old imports',
    async prepare() {
      kept = await importFiles.names()
    },
    async deleteSome(tx, limit) {
      for (const upload of await tx.imports.listEndingBefore(daysAgo(0), MAX_IMPORTS)) {
        if (!kept.has(upload.id) || (await statusOf(tx, upload)) === 'running') continue
        // The file may be removed even if the transaction fails, because it has expired in any case.
        void importFiles
          .remove(upload.id)
          .catch((error: unknown) => log.warn({ err: error }, 'an import was not removed'))
      }
      if (keepJobsDays === 0) return 0
      const old = await tx.imports.listEndingBefore(daysAgo(Math.max(0, keepJobsDays - KEEP_IMPORT_DAYS)), limit)
      let deleted = 0
      for (const upload of old) {
        if (kept.has(upload.id) || (await statusOf(tx, upload)) === 'running') continue
        await tx.imports.delete(upload.id)
        deleted += 1
      }
      return deleted
    },
  })
}
