import { test } from 'node:test'
import { costlyCompleteness } from '../../scripts/bench/attacks/costly-completeness.ts'
import { assertWithstood } from './attacked.ts'

test('whoever asks for the completeness of the costliest schema again and again keeps nobody waiting', () =>
  assertWithstood(costlyCompleteness({ milliseconds: 1500, clients: 4, text: 100_000 })))
