// Every attack that the bench makes.
import type { Attack } from './attack.ts'
import { largeLines, legalJson, refusedJson, strangersJson } from './large-json.ts'
import { longPatterns } from './long-pattern.ts'

export const ATTACKS: readonly Attack[] = [strangersJson, refusedJson, legalJson, largeLines, longPatterns]
