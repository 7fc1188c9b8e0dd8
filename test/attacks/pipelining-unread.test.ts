// A long file: `npm run test:all` runs it.
import { test } from 'node:test'
import { pipeliningUnread } from '../../scripts/bench/attacks/pipelining-unread.ts'
import { assertWithstood } from './attacked.ts'

test('hundreds of pages that nobody reads stop nobody else', () =>
  assertWithstood(pipeliningUnread({ connections: 2, requests: 500, records: 1000, duration: 2000 })))
