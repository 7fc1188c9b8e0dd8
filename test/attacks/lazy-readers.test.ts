// A long file: `npm run test:all` runs it.
import { test } from 'node:test'
import { lazyReaders } from '../../scripts/bench/attacks/lazy-readers.ts'
import { assertWithstood } from './attacked.ts'

test('searches whose results nobody reads stop nobody else, nor do they take all searches', () =>
  assertWithstood(lazyReaders({ connections: 220, records: 1500, duration: 2000 })))
