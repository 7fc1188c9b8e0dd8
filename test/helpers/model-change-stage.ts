// Looks into a workspace, whoever has it open: where the change of the model stands that is under way.
import assert from 'node:assert/strict'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReader } from '../../src/storage/sqlite/connection.ts'

export interface Standing {
  readonly stage: string
  /** The last record that the stage has dealt with; 0: none. */
  readonly cursor: number
}

export function readStanding(dataDir: string): Standing | undefined {
  const db = openReader(path.join(dataDir, 'pimlet.db'))
  try {
    const row = db.prepare('SELECT document, "cursor" FROM model_change').get() as
      { document: string; cursor: number } | undefined
    return row && { stage: (JSON.parse(row.document) as { stage: string }).stage, cursor: row.cursor }
  } finally {
    db.close()
  }
}

/** Resolves as soon as `isThere` holds for a change; fails where `ended`, which is the change's answer, resolves before. */
export async function untilStanding(
  dataDir: string,
  isThere: (standing: Standing) => boolean,
  ended: Promise<unknown>,
): Promise<void> {
  let hasEnded = false
  const end = (): void => void (hasEnded = true)
  ended.then(end, end)
  for (;;) {
    const standing = readStanding(dataDir)
    if (standing !== undefined && isThere(standing)) return
    assert.equal(hasEnded, false, 'the change ended before it was seen there')
    await sleep(1)
  }
}
