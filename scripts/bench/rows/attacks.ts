// Measures the effects of attacks on other clients, each against its own server.
import path from 'node:path'
import { mkdirSync } from 'node:fs'
import { ATTACKS } from '../attacks/index.ts'
import { findDamage, HEAP_LIMIT, measureAttack } from '../attacks/measure-attack.ts'
import { type Command, pimletBundle } from '../processes.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

/**
 * @param name selects attacks whose name contains it
 * @throws where no attack matches
 */
export async function measureAttacks({ directory }: Workspace, name = ''): Promise<Row[]> {
  const attacks = ATTACKS.filter((attack) => attack.name.includes(name))
  if (attacks.length === 0) throw new Error(`No attack is called ${name}`)
  const [node, ...args] = pimletBundle(path.join(directory, 'bundle'))
  const command: Command = [node, `--max-old-space-size=${HEAP_LIMIT}`, ...args]
  const rows: Row[] = []
  for (const [index, attack] of attacks.entries()) {
    const dataDir = path.join(directory, `attacked-${index}`)
    mkdirSync(dataDir, { mode: 0o700 })
    const result = await measureAttack(attack, command, dataDir)
    const damage = findDamage(attack, result)
    const memory = Math.round(Math.max(0, result.memoryGrowth) / 1024 ** 2)
    rows.push({
      name: `attack: ${attack.name} (${result.outcome}; ${memory} MB more memory${damage === undefined ? '' : `; ${damage}`}); the longest that others wait for \`/healthz\`, for a record`,
      pimlet: `${milliseconds(result.health)}, ${milliseconds(result.record)}`,
      bar: `≤ ${attack.longestWait} ms`,
      isHeld: damage === undefined,
    })
  }
  return rows
}
