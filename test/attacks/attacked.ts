// Runs an attack against the server as it stands in the sources, started as `npm start` does but with little memory.
import assert from 'node:assert/strict'
import type { Attack } from '../../scripts/bench/attacks/attack.ts'
import { findDamage, HEAP_LIMIT, measureAttack } from '../../scripts/bench/attacks/measure-attack.ts'
import { NODE_FLAGS } from '../../scripts/build/node-flags.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { PROGRAM } from '../helpers/program.ts'
import { testedDatabase } from '../helpers/tested-database.ts'

/**
 * A busy machine makes everybody wait, attacked or not: in the suite, whoever is served within some seconds is served. The
 * bench judges by the attack's own bar.
 */
const PATIENCE = 20_000

/** Fails where the attack stops others, or takes memory without a ceiling. */
export async function assertWithstood(attack: Attack, args: readonly string[] = []): Promise<void> {
  const command = [process.execPath, ...NODE_FLAGS, `--max-old-space-size=${HEAP_LIMIT}`, PROGRAM] as const
  const dataDir = makeTempDirectory()
  const databaseUrl = await testedDatabase(dataDir)
  const workspace = databaseUrl === undefined ? [] : ['--database-url', databaseUrl]
  const result = await measureAttack(attack, command, dataDir, [...workspace, ...args])
  assert.equal(findDamage({ ...attack, longestWait: PATIENCE }, result), undefined, result.outcome)
}
