// What `pimlet doctor` says of a workspace that a test has left behind.
import assert from 'node:assert/strict'
import { examine } from '../../src/maintenance/doctor.ts'
import { testedDatabase } from './tested-database.ts'

const show = () => ({ advance: () => undefined, stop: () => undefined })

/** It looks into data directories: a workspace in a database is taken for sound. */
export async function assertSound(dataDir: string, message?: string): Promise<void> {
  if ((await testedDatabase(dataDir)) !== undefined) return
  const problems = (await examine({ dataDir, repairIndex: false, show })).filter(({ status }) => status === 'problem')
  assert.deepEqual(problems, [], message)
}
