// Removes the errors and samples of a job's records. Contract 3 §2, 3 §10.
import type { Store } from '../store/port.ts'

/** Rows that one transaction removes. An import may have a million rows. */
const AT_ONCE = 1000

/** Removes rows in several transactions. After a stop some rows are left; the next run of the job clears these first. */
export async function clearFindings(store: Pick<Store, 'transaction'>, id: string): Promise<void> {
  while ((await store.transaction((tx) => tx.bulkJobs.clearFindings(id, AT_ONCE))) > 0);
}
