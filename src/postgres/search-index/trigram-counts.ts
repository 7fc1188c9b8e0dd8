// Estimates the frequency of each trigram from a sample of the records, so that a search requests the rarest ones.
import type { CountTrigrams } from '../../core/search/plan/rare-trigrams.ts'
import { trigramsOf } from '../../core/search/plan/rare-trigrams.ts'
import type { Asked } from '../../store/rows/session.ts'

/** One record in this many is counted. The record number decides, so that each record is counted once. */
export const SAMPLED = 64

/** UTF-16 units counted of a record's texts. In a large text, every trigram would be a separate string. */
const COUNTED = 100_000

/** Returns the number of sampled records of each trigram. */
export async function trigramCounts(trigrams: readonly string[], from: Asked): Promise<CountTrigrams> {
  if (trigrams.length === 0) return () => new Map()
  const sql = 'SELECT t, n FROM trigram WHERE t = ANY ($1::text[])'
  const rows = await from.rows<{ t: string; n: number }>(sql, [trigrams])
  const counts = new Map(rows.map(({ t, n }) => [t, n]))
  return () => counts
}

/** Returns the trigrams to count for a record that is indexed for the first time; none outside of the sample. */
export function sampledTrigrams(record: number, folded: string): readonly string[] {
  return record % SAMPLED === 0 ? trigramsOf(folded.slice(0, COUNTED).toWellFormed()) : []
}
