// A long file: `npm run test:all` runs it.
import { test } from 'node:test'
import { idleConnections } from '../../scripts/bench/attacks/idle-connections.ts'
import { assertWithstood } from './attacked.ts'

test('more connections than the server keeps stop nobody else', () =>
  assertWithstood(idleConnections({ connections: 2100, duration: 500 })))
