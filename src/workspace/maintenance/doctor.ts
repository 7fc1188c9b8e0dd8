// `pimlet doctor`: looks for contradictions in a workspace. It only reads, from one snapshot, so servers may continue.
// Rebuilding the search index of a directory needs the directory alone. Contract 2 §8.
import { lowerPriority } from '../../kernel/machine/system.ts'
import type { Maintenance, WorkspaceInspection } from '../../store/maintenance-port.ts'
import { storageFaultOf } from '../storages.ts'
import { type CheckResult, Findings, result } from './check.ts'
import { checkAudit, checkRecords, checkIndex } from './checks/check-records.ts'
import { checkContent, type CheckedContent } from './checks/check-content.ts'
import { checkExports, checkFiles, checkSecrets } from './checks/check-files.ts'
import { asStartError } from './start-faults.ts'
import type { Progress, ShowProgress } from './progress-report.ts'
import { holdAlone, maintain } from './workspace.ts'

interface DoctorOptions {
  readonly dataDir: string
  /** Undefined: the workspace is in the directory. Else that has the keys and files of a server on it. */
  readonly databaseUrl?: string | undefined
  readonly repairIndex: boolean
  /** Opens the store of files; undefined: their bytes are not checked. */
  readonly openContent?: (() => Promise<CheckedContent>) | undefined
  readonly show: ShowProgress
}

/** @throws StartError where there is nothing to look at, or the index cannot be made */
export async function examine(options: DoctorOptions): Promise<CheckResult[]> {
  const { dataDir, databaseUrl, repairIndex } = options
  const maintenance = await maintain(options)
  process.umask(0o077)
  lowerPriority()
  if (repairIndex) await repair(options, maintenance)
  try {
    return await examineDatabase(options, maintenance)
  } catch (error) {
    const place = databaseUrl === undefined ? dataDir : maintenance.place
    throw asStartError(error, { failure: `Cannot look through ${place}`, database: maintenance.place })
  }
}

/** With a database there are two places, so the failure names this one. */
function lookThroughFiles(dataDir: string): CheckResult {
  try {
    return checkFiles(dataDir)
  } catch (error) {
    throw asStartError(error, { failure: `Cannot look through ${dataDir}`, database: dataDir })
  }
}

async function repair(options: DoctorOptions, maintenance: Maintenance): Promise<void> {
  const { show } = options
  const unlock = holdAlone(options)
  try {
    let progress: Progress | undefined
    let before = 0
    await maintenance.rebuildIndex((done, total) => {
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

async function examineDatabase(
  { dataDir, openContent, show }: DoctorOptions,
  maintenance: Maintenance,
): Promise<CheckResult[]> {
  const files = lookThroughFiles(dataDir)
  let workspace: WorkspaceInspection
  try {
    workspace = await maintenance.inspect()
  } catch (error) {
    if (storageFaultOf(error) !== 'damaged') throw error
    return [result('database', 'problem', `${maintenance.place} is damaged: ${(error as Error).message}`), files]
  }
  try {
    const isServed = await maintenance.isServed()
    const database = await checkDatabase(workspace, maintenance)
    if (database.status === 'problem') return [database, files]
    const total = await workspace.countRecords()
    return [
      database,
      ...(await guarded('links', async () => [await checkLinks(workspace)])),
      ...(await guarded('records', () => checkRecords(workspace, total, show))),
      ...(await guarded('audit', async () => [await checkAudit(workspace, show)])),
      ...(await guarded('index', async () => [await checkIndex(workspace, total, show)])),
      ...(await guarded('secrets', async () => [await checkSecrets(workspace, dataDir)])),
      ...(await guarded('exports', async () => [await checkExports(workspace, dataDir, isServed)])),
      ...(openContent === undefined
        ? []
        : await guarded('content', async () => [
            await checkContent(workspace, await openContent(), () => maintenance.inspect()),
          ])),
      files,
    ]
  } finally {
    await workspace.close()
  }
}

/** A check that cannot read its data is a finding; the other checks still run. */
async function guarded(name: string, check: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  try {
    return await check()
  } catch (error) {
    if (storageFaultOf(error) !== 'damaged' && !(error instanceof SyntaxError)) throw error
    return [result(name, 'problem', `It cannot be read to its end: ${(error as Error).message}`)]
  }
}

/** A server would refuse it. @returns why */
async function whyUnfit(maintenance: Maintenance): Promise<string | undefined> {
  try {
    await maintenance.assertReadable()
    return undefined
  } catch (error) {
    if (storageFaultOf(error) !== 'unfit') throw error
    return (error as Error).message
  }
}

/** All other checks rely on the database. */
async function checkDatabase(workspace: WorkspaceInspection, maintenance: Maintenance): Promise<CheckResult> {
  const { place } = maintenance
  const unfit = await whyUnfit(maintenance)
  if (unfit !== undefined) return result('database', 'problem', `${place}: ${unfit}`)
  const findings = new Findings()
  for (const damage of await workspace.findDamage()) findings.add(damage)
  if (findings.count > 0) return findings.asResult('database', '', `${place} is damaged: restore a backup`)
  const { found, known } = await workspace.versions()
  if (found === known) return checkSchema(workspace, maintenance)
  const message =
    found > known
      ? `It was written by a newer pimlet (version ${found}; this one knows up to ${known})`
      : `It is of an older pimlet (version ${found}, now ${known}): start a server on it once, which upgrades it`
  return result('database', 'problem', message)
}

/** Only the person who added the object knows its purpose; a backup with it would be refused. */
async function checkSchema(workspace: WorkspaceInspection, maintenance: Maintenance): Promise<CheckResult> {
  const foreign = await workspace.findForeignObjects()
  const findings = new Findings()
  for (const { description } of foreign) findings.add(description)
  const size = `${((await workspace.size()) / 1e6).toFixed(1)} MB without damage`
  const isHarmless = foreign.every((object) => object.isHarmless)
  const found = isHarmless
    ? `It holds what pimlet does not make and does not use${'copy' in maintenance ? ': a backup is refused until it is removed' : ''}`
    : 'It holds what pimlet does not make: nothing in it can be relied on until it is removed, or a backup restored'
  if (findings.count > 0) return findings.asResult('database', '', found, isHarmless ? 'warning' : 'problem')
  for (const weakness of await workspace.findWeakSettings()) findings.add(weakness)
  return findings.asResult('database', size, `${size}, but with settings that do not suit pimlet`, 'warning')
}

async function checkLinks(workspace: WorkspaceInspection): Promise<CheckResult> {
  const findings = new Findings()
  for (const fault of await workspace.findForeignKeyFaults()) findings.add(fault)
  const found = `${findings.count} rows refer to rows that do not exist`
  return findings.asResult('links', 'All rows that are referred to exist', found)
}
