// Whether the keys are there, and open what is sealed with them. Contract 2 §6.
import path from 'node:path'
import { decodeKey, KEY_FILES, keyPrintOf, type Keys, readKeys } from '../../../kernel/machine/data-directory.ts'
import { secretOwnerOf } from '../../../events/rules/subscription.ts'
import { createSecretBox } from '../../../kernel/secrets/secret-box.ts'
import { StartError } from '../../../kernel/machine/start-error.ts'
import type { WorkspaceInspection } from '../../../store/maintenance-port.ts'
import { type CheckResult, Findings, result } from '../check.ts'

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

/** Whether servers that have these keys may serve the workspace, as far as it tells. */
async function isPrintOf(keys: Keys, workspace: WorkspaceInspection): Promise<boolean> {
  const print = await workspace.keyPrint()
  const [signingKey, encryptionKey] = KEY_FILES.map((name) => keys.get(name))
  if (print === undefined || signingKey === undefined || encryptionKey === undefined) return true
  return print === keyPrintOf({ signingKey: decodeKey(signingKey), encryptionKey: decodeKey(encryptionKey) })
}

/** @returns the number of secrets */
async function openAll(workspace: WorkspaceInspection, key: Buffer, findings: Findings): Promise<number> {
  // Nothing is sealed here, so nothing random is asked for.
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
