// A long file: `npm run test:all` runs it.
import { test } from 'node:test'
import { longModelChange } from '../../scripts/bench/attacks/long-model-change.ts'
import { assertWithstood } from './attacked.ts'

test('changes of the model that thousands of records have to follow make nobody else wait', () =>
  assertWithstood(longModelChange(3000)))
