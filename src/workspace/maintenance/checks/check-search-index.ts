// The search index against the records that it is made from. It can always be made again: --repair-index.
import type { IndexInspection, WorkspaceInspection } from '../../../store/maintenance-port.ts'
import { storageFaultOf } from '../../storages.ts'
import { type CheckResult, Findings, result } from '../check.ts'
import type { ShowProgress } from '../progress-report.ts'

export async function checkIndex(
  workspace: WorkspaceInspection,
  total: number,
  show: ShowProgress,
): Promise<CheckResult> {
  let index: IndexInspection
  try {
    index = await workspace.inspectIndex()
  } catch (error) {
    if (storageFaultOf(error) !== 'incomparable') throw error
    const why = (error as Error).message
    return result('index', 'warning', `The search index is not complete: ${why}; a server makes it by itself`)
  }
  try {
    const findings = new Findings()
    for (const damage of await index.findDamage()) findings.add(damage)
    if (findings.count === 0) await compare(index, total, show, findings)
    const { pending } = index
    const waiting = pending === 0 ? '' : `; ${pending} records wait to be indexed`
    return findings.asResult(
      'index',
      `The search index agrees with the records${waiting}`,
      `${findings.count} faults in the search index: --repair-index makes it anew`,
    )
  } finally {
    await index.close()
  }
}

async function compare(index: IndexInspection, total: number, show: ShowProgress, findings: Findings): Promise<void> {
  const progress = show({ label: 'index', total, unit: 'records' })
  for await (const fault of index.compare()) {
    if (fault !== undefined) findings.add(fault)
    progress.advance(1)
  }
  progress.stop()
}
