// Tests of single parts that landing has no time for. Every other run of their file has them: `npm run test:all`, `npm run near`, and
// the file alone.
import { it } from 'node:test'

/** `scripts/suite.ts --landing` sets this variable. */
const IS_LANDING = process.env['TEST_LANDING'] !== undefined

/** `it`, but for landing. A test of the main behaviour, which landing runs, stands beside each. */
export const itLong: typeof it = IS_LANDING ? ((() => Promise.resolve()) as unknown as typeof it) : it
