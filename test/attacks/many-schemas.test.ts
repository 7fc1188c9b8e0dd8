import { test } from 'node:test'
import { manySchemas } from '../../scripts/bench/attacks/many-schemas.ts'
import { assertWithstood } from './attacked.ts'

test('whoever replaces one of many schemas again and again keeps nobody waiting', () =>
  assertWithstood(manySchemas({ schemas: 60, attributes: 100, milliseconds: 1000, clients: 2 })))
