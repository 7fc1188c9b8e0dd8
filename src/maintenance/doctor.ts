// `pimlet doctor`: looks through a workspace for whatever does not agree with the rest. It reads only, from one moment of
// the database, so that a server may go on; making the search index anew takes the workspace alone. Contract 2 §8.
import { findWorkspace } from '../machine/data-directory.ts'
import { lowerPriority } from '../machine/priority.ts'
import type { Maintenance, WorkspaceInspection } from '../storage/maintenance-port.ts'
import { locationIn, maintenanceOf, storageFaultOf } from '../storages.ts'
import { type CheckResult, Findings, result } from './check.ts'
import { checkAudit } from './checks/audit.ts'
import { checkExports, checkFiles } from './checks/files.ts'
import { checkRecords } from './checks/records.ts'
import { checkIndex } from './checks/search-index.ts'
import { checkSecrets } from './checks/secrets.ts'
import { asStartError } from './faults.ts'
import { lockWorkspace } from './lock.ts'
import type { Progress, ShowProgress } from './progress.ts'

export interface DoctorOptions {
  readonly dataDir: string
  readonly repairIndex: boolean
  readonly show: ShowProgress
}

/** @throws StartError where there is nothing to look at, or the index cannot be made */
export function examine({ dataDir, repairIndex, show }: DoctorOptions): CheckResult[] {
  findWorkspace(dataDir)
  const maintenance = maintenanceOf(locationIn(dataDir))
  process.umask(0o077)
  lowerPriority()
  if (repairIndex) repair(dataDir, maintenance, show)
  try {
    return examineDatabase(dataDir, maintenance, show)
  } catch (error) {
    throw asStartError(error, { failure: `Cannot look through ${dataDir}`, database: maintenance.place })
  }
}

function repair(dataDir: string, maintenance: Maintenance, show: ShowProgress): void {
  const unlock = lockWorkspace(dataDir)
  try {
    let progress: Progress | undefined
    let before = 0
    maintenance.rebuildIndex((done, total) => {
      progress ??= show({ label: 'making the index', total, unit: 'records' })
      progress.advance(done - before)
      before = done
    })
    progress?.stop()
  } catch (error) {
    throw asStartError(error, { failure: 'Cannot make the search index', database: maintenance.place })
  } finally {
    unlock()
  }
}

function examineDatabase(dataDir: string, maintenance: Maintenance, show: ShowProgress): CheckResult[] {
  const files = checkFiles(dataDir)
  let workspace: WorkspaceInspection
  try {
    workspace = maintenance.inspect()
  } catch (error) {
    if (storageFaultOf(error) !== 'damaged') throw error
    return [result('database', 'problem', `${maintenance.place} is damaged: ${(error as Error).message}`), files]
  }
  try {
    const isServed = maintenance.isHeld()
    const database = isServed ? checkDatabase(workspace, maintenance) : checkStopped(workspace, maintenance)
    if (database.status === 'problem') return [database, files]
    const total = workspace.countRows()['record'] ?? 0
    return [
      database,
      ...guarded('links', () => [checkLinks(workspace)]),
      ...guarded('records', () => checkRecords(workspace, total, show)),
      ...guarded('audit', () => [checkAudit(workspace, show)]),
      ...guarded('index', () => [checkIndex(maintenance, total, show)]),
      ...guarded('secrets', () => [checkSecrets(workspace, dataDir)]),
      ...guarded('exports', () => [checkExports(workspace, dataDir, isServed)]),
      files,
    ]
  } finally {
    workspace.close()
  }
}

/** What a check cannot read is a finding too, and no reason to leave the others out. */
function guarded(name: string, check: () => CheckResult[]): CheckResult[] {
  try {
    return check()
  } catch (error) {
    if (storageFaultOf(error) !== 'damaged' && !(error instanceof SyntaxError)) throw error
    return [result(name, 'problem', `It cannot be read to its end: ${(error as Error).message}`)]
  }
}

/** A server would refuse a database whose wal is something else. */
function checkStopped(workspace: WorkspaceInspection, maintenance: Maintenance): CheckResult {
  try {
    maintenance.assertReadable()
  } catch (error) {
    if (storageFaultOf(error) !== 'unfit') throw error
    return result('database', 'problem', `${maintenance.place}: ${(error as Error).message}`)
  }
  return checkDatabase(workspace, maintenance)
}

/** The other checks rely on it. */
function checkDatabase(workspace: WorkspaceInspection, { place }: Maintenance): CheckResult {
  const findings = new Findings()
  for (const damage of workspace.findDamage()) findings.add(damage)
  if (findings.count > 0) return findings.asResult('database', '', `${place} is damaged: restore a backup`)
  const { found, known } = workspace.versions()
  if (found === known) return checkSchema(workspace)
  const message =
    found > known
      ? `It was written by a newer pimlet (version ${found}; this one knows up to ${known})`
      : `It is of an older pimlet (version ${found}, now ${known}): start a server on it once, which upgrades it`
  return result('database', 'problem', message)
}

/** Who has put it there can tell why; a backup with it would be refused. */
function checkSchema(workspace: WorkspaceInspection): CheckResult {
  const foreign = workspace.findForeignObjects()
  const findings = new Findings()
  for (const { description } of foreign) findings.add(description)
  const size = `${(workspace.size() / 1e6).toFixed(1)} MB without damage`
  const isHarmless = foreign.every((object) => object.isHarmless)
  const found = isHarmless
    ? 'It holds what pimlet does not make and does not use: a backup is refused until it is removed'
    : 'It holds what pimlet does not make: nothing in it can be relied on until it is removed, or a backup restored'
  return findings.asResult('database', size, found, isHarmless ? 'warning' : 'problem')
}

function checkLinks(workspace: WorkspaceInspection): CheckResult {
  const findings = new Findings()
  for (const fault of workspace.findForeignKeyFaults()) findings.add(fault)
  const found = `${findings.count} rows refer to rows that do not exist`
  return findings.asResult('links', 'All rows that are referred to exist', found)
}
