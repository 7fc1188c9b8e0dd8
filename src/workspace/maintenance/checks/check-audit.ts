// The audit trail: nothing is missing in it, each entry says what was there before, and all of them lead to the records
// as they are. Contract 2 §4.
import { TrailReplay } from '../../../core/records/rules/audit-trail.ts'
import type { WorkspaceInspection } from '../../../store/maintenance-port.ts'
import { type CheckResult, Findings } from '../check.ts'
import type { ShowProgress } from '../progress-report.ts'

/** Records that are named at most. */
const NAMED = 10

export async function checkAudit(workspace: WorkspaceInspection, show: ShowProgress): Promise<CheckResult> {
  const findings = new Findings()
  const { entries, ofRecords, oldest, newest } = await workspace.auditRange()
  const gaps = newest - oldest + 1 - entries
  if (gaps > 0) findings.add(`${gaps} entries between ${oldest} and ${newest} are missing`)
  const progress = show({ label: 'audit', total: ofRecords, unit: 'entries' })
  let trails = 0
  for await (const { recordId, entries: trail, record } of workspace.trails()) {
    const replay = new TrailReplay()
    let fault: string | undefined
    for await (const entry of trail) {
      const found = replay.take(entry)
      fault ??= found
      progress.advance(1)
    }
    fault ??= replay.findFaultAtEnd(record)
    if (fault !== undefined) findings.add(`${recordId}: ${fault}`)
    trails += 1
  }
  progress.stop()
  for (const id of await workspace.recordsWithoutEntry(oldest, NAMED)) findings.add(`${id}: its last entry is missing`)
  return findings.asResult(
    'audit',
    `${ofRecords} entries lead to the values of ${trails} records`,
    `${findings.count} faults in the trail of ${ofRecords} entries`,
  )
}
