// Every attack that the bench makes.
import type { Attack } from './attack.ts'
import { longModelChange } from './long-model-change.ts'

export const ATTACKS: readonly Attack[] = [longModelChange(30_000)]
