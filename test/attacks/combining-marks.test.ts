import { test } from 'node:test'
import { combiningMarks } from '../../scripts/bench/attacks/combining-marks.ts'
import { assertWithstood } from './attacked.ts'

test('texts of combining marks stop nobody else', () =>
  assertWithstood(combiningMarks({ marks: 60_000, clients: 4, milliseconds: 2000 })))
