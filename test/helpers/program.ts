// pimlet as tests start it in processes of their own: the bundle that a run of the whole suite makes first (`scripts/suite.ts`), which
// starts in less time, else the sources.
import { cpSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BUNDLE = process.env['TEST_BUNDLE']

export const PROGRAM = BUNDLE === undefined ? path.join(ROOT, 'src/main.ts') : path.join(BUNDLE, 'pimlet.cjs')

/** Makes a separate bundle for a test, with nothing else beside it. */
export async function makeBundle(directory: string): Promise<void> {
  if (BUNDLE !== undefined) return cpSync(BUNDLE, directory, { recursive: true })
  const { buildBundle } = await import('../../scripts/build/bundle.ts')
  await buildBundle(directory)
}
