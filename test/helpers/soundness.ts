// Checks by `pimlet doctor` the workspace that a test has left.
import assert from 'node:assert/strict'
import { examine } from '../../src/workspace/maintenance/doctor.ts'
import { openCheckedContent } from '../../src/cli/file-content.ts'
import { testedDatabase } from './tested-database.ts'

const show = () => ({ advance: () => undefined, stop: () => undefined })

export async function assertSound(dataDir: string, message?: string): Promise<void> {
  const databaseUrl = await testedDatabase(dataDir)
  const results = await examine({
    dataDir,
    databaseUrl,
    repairIndex: false,
    openContent: () => openCheckedContent({ 'data-dir': dataDir }),
    show,
  })
  const problems = results.filter(({ status }) => status === 'problem')
  assert.deepEqual(problems, [], message)
}
