// A long file: `npm run test:all` runs it.
import { test } from 'node:test'
import { tinyChunks } from '../../scripts/bench/attacks/tiny-chunks.ts'
import { assertWithstood } from './attacked.ts'

test('bodies in chunks of one byte, of strangers, stop nobody and take little memory', () =>
  assertWithstood(tinyChunks({ connections: 100, bytes: 15_000, hasKey: false, duration: 1000 })))

test('a long body in chunks of one byte stops nobody and takes little memory', () =>
  assertWithstood(tinyChunks({ connections: 1, bytes: 1_000_000, hasKey: true, duration: 1000 })))
