// The data directory: files are private, keys open the stored secrets, no export left files behind. Contract 2 §6, 2 §8.
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { WorkspaceInspection } from '../../../store/maintenance-port.ts'
import { type CheckResult, Findings, result } from '../check.ts'
import { decodeKey, KEY_FILES, keyPrintOf, type Keys, readKeys } from '../../../kernel/machine/data-directory.ts'
import { secretOwnerOf } from '../../../events/rules/subscription.ts'
import { createSecretBox } from '../../../kernel/secrets/secret-box.ts'
import { StartError } from '../../../kernel/machine/start-error.ts'

/** Mode bits of group and others. */
const OTHERS = 0o077

export function checkFiles(dataDir: string): CheckResult {
  const findings = new Findings()
  const names = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
  for (const name of names) {
    // A running server may remove a file meanwhile; links have no mode of their own.
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

/** Leftovers of exports. Files of failed deliveries that are kept for a while are none. */
export async function checkExports(
  workspace: WorkspaceInspection,
  dataDir: string,
  isServed: boolean,
): Promise<CheckResult> {
  const findings = new Findings()
  const running = await workspace.runningExports()
  const ids = new Set([...running.map(({ id }) => id), ...(await workspace.keptExports())])
  if (!isServed) for (const { id, jobId } of running) findings.add(`run ${id} of ${jobId} did not end`)
  for (const name of readNames(path.join(dataDir, 'spool')))
    if (!ids.has(name.split('.', 1)[0]!)) findings.add(`spool/${name} belongs to no run`)
  for (const id of await workspace.jobsWithLeftovers())
    if (!isServed)
      findings.add(`${id} has left something at a destination; it stays there if the job leads elsewhere now`)
  return findings.asResult(
    'exports',
    isServed ? `${running.length} exports are running` : 'No export is unfinished',
    `${findings.count} leftovers of exports; the next start of a server ends these runs, and removes what it can reach`,
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

export async function checkSecrets(workspace: WorkspaceInspection, dataDir: string): Promise<CheckResult> {
  const findings = new Findings()
  try {
    const keys = readKeys(dataDir)
    for (const name of KEY_FILES) if (!keys.has(name)) findings.add(`${path.join(dataDir, name)} is missing`)
    const key = keys.get('encryption.key')
    if (!(await isPrintOf(keys, workspace))) findings.add(`The keys in ${dataDir} are not those of the workspace`)
    const sealed = key === undefined ? 0 : await openAll(workspace, decodeKey(key), findings)
    return findings.asResult(
      'secrets',
      `The keys are there and open ${sealed} secrets of export jobs and subscriptions`,
      `${findings.count} keys or secrets cannot be used`,
    )
  } catch (error) {
    if (error instanceof StartError) return result('secrets', 'problem', error.message)
    throw error
  }
}

/** Whether the workspace was made with these keys; true if it does not say. */
async function isPrintOf(keys: Keys, workspace: WorkspaceInspection): Promise<boolean> {
  const print = await workspace.keyPrint()
  const [signingKey, encryptionKey] = KEY_FILES.map((name) => keys.get(name))
  if (print === undefined || signingKey === undefined || encryptionKey === undefined) return true
  return print === keyPrintOf({ signingKey: decodeKey(signingKey), encryptionKey: decodeKey(encryptionKey) })
}

/** @returns the number of secrets */
async function openAll(workspace: WorkspaceInspection, key: Buffer, findings: Findings): Promise<number> {
  // Opening needs no randomness.
  const box = createSecretBox(key, () => Buffer.alloc(0))
  let count = 0
  const jobs = (await workspace.exportJobs()).map(({ id, secrets }) => ({ id, owner: id, secrets }))
  const subscriptions = (await workspace.subscriptions()).map(({ id, secrets }) => {
    return { id, owner: secretOwnerOf(id), secrets }
  })
  for (const { id, owner, secrets } of [...jobs, ...subscriptions])
    for (const [field, sealed] of Object.entries(secrets)) {
      count += 1
      try {
        box.open(owner, field, sealed)
      } catch {
        findings.add(`${id}: ${field} cannot be opened with encryption.key`)
      }
    }
  return count
}
