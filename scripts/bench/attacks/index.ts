// Every attack that the bench makes.
import type { Attack } from './attack.ts'
import { costlyCompleteness } from './costly-completeness.ts'
import { longModelChange } from './long-model-change.ts'
import { manySchemas } from './many-schemas.ts'

export const ATTACKS: readonly Attack[] = [
  costlyCompleteness({ milliseconds: 20_000, clients: 8, text: 1_000_000 }),
  manySchemas({ schemas: 300, attributes: 100, milliseconds: 10_000, clients: 4 }),
  longModelChange(30_000),
]
