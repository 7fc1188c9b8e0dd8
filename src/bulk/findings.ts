// What is known of the records of a job besides their numbers: errors and samples. Contract 3 §2, 3 §10.
import type { Store } from '../store/port.ts'

/** Rows that one transaction removes: an import may have a million. */
const AT_ONCE = 1000

/** Some at a time: a stop leaves the rest, and whoever begins again clears it first. */
export async function clearFindings(store: Pick<Store, 'transaction'>, id: string): Promise<void> {
  while ((await store.transaction((tx) => tx.bulkJobs.clearFindings(id, AT_ONCE))) > 0);
}
