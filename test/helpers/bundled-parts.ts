// Gives tests what a run of the whole suite builds first (`scripts/suite.ts`): threads run the bundle, which loads faster than the
// sources, and servers have the bundle's console in place of one that each process builds.
import path from 'node:path'
import { useBuiltPages, usePlacedBinding, useThreadFile } from '../../src/kernel/executable/assets.ts'

const { TEST_BUNDLE: bundle, TEST_NATIVE_BINDING: binding } = process.env

if (bundle !== undefined && binding !== undefined) {
  useThreadFile(path.join(bundle, 'thread.cjs'))
  useBuiltPages(path.join(bundle, 'pages'))
  // The bundle's own binding must not be used: two copies of SQLite in one process ignore each other's locks.
  usePlacedBinding(binding)
}
