// A long file: `npm run test:all` runs it.
import { test } from 'node:test'
import { halfClosedUnread } from '../../scripts/bench/attacks/half-closed-unread.ts'
import { assertWithstood } from './attacked.ts'

test('half-closed connections whose answers nobody reads stop nobody with the same key', () =>
  assertWithstood(halfClosedUnread({ connections: 100, records: 1000, isSameKey: true, duration: 2000 })))
