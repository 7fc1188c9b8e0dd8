// Every attack that the bench makes.
import type { Attack } from './attack.ts'

export const ATTACKS: readonly Attack[] = []
