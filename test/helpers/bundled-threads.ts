// Makes threads of tests run the bundle that a run of the whole suite builds first (`scripts/suite.ts`). The bundle
// loads faster than the sources, which the tests themselves load.
import path from 'node:path'
import { usePlacedBinding, useThreadFile } from '../../src/kernel/executable/assets.ts'

const { TEST_BUNDLE: bundle, TEST_NATIVE_BINDING: binding } = process.env

if (bundle !== undefined && binding !== undefined) {
  useThreadFile(path.join(bundle, 'thread.cjs'))
  // The bundle's own binding must not be used: two copies of SQLite in one process ignore each other's locks.
  usePlacedBinding(binding)
}
