// Files of the data directory: private, and none that should be gone. Contract 2 §8.
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { WorkspaceInspection } from '../../../store/maintenance-port.ts'
import { type CheckResult, Findings } from '../check.ts'

/** What others may not: read, write or run. */
const OTHERS = 0o077

export function checkFiles(dataDir: string): CheckResult {
  const findings = new Findings()
  const names = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
  for (const name of names) {
    // One that a server has removed meanwhile is no fault; links have no mode of their own.
    const stats = lstatSync(path.join(dataDir, name), { throwIfNoEntry: false })
    if (stats === undefined || stats.isSymbolicLink() || process.platform === 'win32') continue
    if ((stats.mode & OTHERS) !== 0) findings.add(`${name}: mode ${(stats.mode & 0o777).toString(8)}`)
  }
  const isOpen = process.platform !== 'win32' && (lstatSync(dataDir).mode & OTHERS) !== 0
  return findings.asResult(
    'files',
    `${names.length} files and directories are private`,
    isOpen
      ? `${dataDir} is open to other users of the machine`
      : `${findings.count} files are open to others, but their directory is closed`,
    isOpen ? 'problem' : 'warning',
  )
}

/** What exports leave behind. A server puts it right at its next start. */
export async function checkExports(
  workspace: WorkspaceInspection,
  dataDir: string,
  isServed: boolean,
): Promise<CheckResult> {
  const findings = new Findings()
  const running = await workspace.runningExports()
  const ids = new Set(running.map(({ id }) => id))
  if (!isServed) for (const { id, jobId } of running) findings.add(`run ${id} of ${jobId} did not end`)
  for (const name of readNames(path.join(dataDir, 'spool')))
    if (!isServed || !ids.has(name)) findings.add(`spool/${name} belongs to no run`)
  for (const id of await workspace.jobsWithLeftovers())
    if (!isServed) findings.add(`${id} has left something at its destination`)
  return findings.asResult(
    'exports',
    isServed ? `${running.length} exports are running` : 'No export is unfinished',
    `${findings.count} leftovers of exports, which the next start of a server removes`,
    'warning',
  )
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
