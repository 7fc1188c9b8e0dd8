// Threads of the tests run the bundle that a run of the whole suite makes first (`scripts/suite.ts`), which loads in less time than
// the sources that the tests themselves load.
import path from 'node:path'
import { usePlacedBinding, useThreadFile } from '../../src/kernel/executable/assets.ts'

const { TEST_BUNDLE: bundle, TEST_NATIVE_BINDING: binding } = process.env

if (bundle !== undefined && binding !== undefined) {
  useThreadFile(path.join(bundle, 'thread.cjs'))
  // Not the bundle's own: two copies of SQLite in one process do not know of each other's locks.
  usePlacedBinding(binding)
}
