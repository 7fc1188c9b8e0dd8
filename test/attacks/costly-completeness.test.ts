// A long file: `npm run test:all` runs it.
import { test } from 'node:test'
import { costlyCompleteness } from '../../scripts/bench/attacks/costly-completeness.ts'
import { assertWithstood } from './attacked.ts'

test('whoever asks for the completeness of the costliest schema again and again keeps nobody waiting', () =>
  assertWithstood(costlyCompleteness({ milliseconds: 1000, clients: 3, text: 20_000 })))
