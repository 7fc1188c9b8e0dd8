// Finds the records that an undo deletes together: they were created together, and their lists of references name each other.
// Contract 3 §2.
import { referringAttributes } from '../core/model/rules/referring-attributes.ts'
import { findReferring } from '../core/records/referrers.ts'
import type { LongTransaction } from '../store/port.ts'
import type { JobTrail } from './job-trail.ts'

/** Most records that are deleted together. */
const MAX_GOING = 1000

/**
 * The record, and untouched records that the undone job created too, whose lists would keep it from being deleted.
 * @param trailOf reads the changes of the undone job
 */
export async function findGoing(
  tx: LongTransaction,
  recordId: string,
  trailOf: (recordId: string) => Promise<JobTrail>,
): Promise<ReadonlySet<string>> {
  const { lists: attributes } = referringAttributes(await tx.model())
  const going = new Set([recordId])
  // Found records may be in lists, too: the loop comes to them.
  for (const id of going) {
    const asked = { targetIds: [id], attributes, limit: MAX_GOING }
    for (const referrer of await findReferring(tx, asked, going)) {
      await tx.pause()
      if (going.size < MAX_GOING && (await isTakenAway(tx, referrer.recordId, trailOf))) going.add(referrer.recordId)
    }
  }
  return going
}

async function isTakenAway(
  tx: LongTransaction,
  recordId: string,
  trailOf: (recordId: string) => Promise<JobTrail>,
): Promise<boolean> {
  const { own, touched } = await trailOf(recordId)
  const isMade = own.at(-1)?.action === 'create' && touched.size === 0
  return isMade && (await tx.records.variantIdsOf(recordId)).length === 0
}
