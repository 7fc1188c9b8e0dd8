// Reads the stage of the model change under way from a workspace, even while a server runs.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Look, lookInto } from './tested-database.ts'

export interface Standing {
  readonly stage: string
  /** The last record handled by the stage; 0: none. */
  readonly cursor: number
}

const STANDING = 'SELECT document, "cursor" FROM model_change'

export async function readStanding(dataDir: string): Promise<Standing | undefined> {
  const look = await lookInto(dataDir)
  try {
    return await standingIn(look)
  } finally {
    await look.close()
  }
}

async function standingIn(look: Look): Promise<Standing | undefined> {
  const [row] = await look.rows<{ document: string; cursor: number }>({ sqlite: STANDING, postgres: STANDING })
  return row && { stage: (JSON.parse(row.document) as { stage: string }).stage, cursor: row.cursor }
}

/** Resolves as soon as `isThere` holds for a change. Fails if `ended`, the response to the change, resolves before. */
export async function untilStanding(
  dataDir: string,
  isThere: (standing: Standing) => boolean,
  ended: Promise<unknown>,
): Promise<void> {
  let hasEnded = false
  const end = (): void => void (hasEnded = true)
  ended.then(end, end)
  const look = await lookInto(dataDir)
  try {
    for (;;) {
      const standing = await standingIn(look)
      if (standing !== undefined && isThere(standing)) return
      assert.equal(hasEnded, false, 'the change ended before it was seen there')
      await sleep(1)
    }
  } finally {
    await look.close()
  }
}
