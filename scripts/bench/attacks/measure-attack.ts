// Runs one attack against its own server with little memory, while another client keeps sending requests.
import { type Command, startPimlet } from '../processes.ts'
import { type Attack, openTarget, type Target } from './attack.ts'
import { startObserver } from './observer.ts'

/** MiB that V8 may use for the main thread's old objects. */
export const HEAP_LIMIT = 512
/** Most bytes that the server may grow during an attack, unless the attack sets its own limit. */
export const MEMORY_BAR = 250 * 1024 ** 2

const SCHEMA_ID = 'sch-observed'
const RECORD_ID = 'ent-observed'
/** Milliseconds of rest before the attack, and of observation after the attack. */
const REST = 500

export interface AttackResult {
  /** The longest waits of the other client, in milliseconds: for health and for a record. */
  readonly health: number
  readonly record: number
  /** Failures of the other client's requests. */
  readonly failures: readonly string[]
  /** The most bytes that the server grew. */
  readonly memoryGrowth: number
  readonly isAlive: boolean
  readonly outcome: string
}

/**
 * @param command Node with `--max-old-space-size=${HEAP_LIMIT}` and pimlet
 * @param args further flags of pimlet
 */
export async function measureAttack(
  attack: Attack,
  command: Command,
  dataDir: string,
  args: readonly string[] = [],
): Promise<AttackResult> {
  const server = await startPimlet(command, dataDir, args)
  try {
    const target = openTarget(server)
    await makeObservedRecord(target)
    await attack.prepare?.(target)
    await rest()
    const before = server.memory()
    const observer = await startObserver({
      port: server.port,
      path: `/api/v1/records/${RECORD_ID}`,
      key: target.adminKey,
    })
    await rest()
    server.forgetPeak()
    const outcome = await attack.run(target).catch((error: unknown) => `gave up: ${String(error)}`)
    await rest()
    const { health, record, failures } = await observer.end()
    const isAlive = server.isRunning()
    return { health, record, failures, memoryGrowth: server.peakMemory() - before, isAlive, outcome }
  } finally {
    await server.stop()
  }
}

/** Returns the reason why the attack succeeded; undefined: other clients noticed nothing. */
export function findDamage(attack: Attack, result: AttackResult): string | undefined {
  if (!result.isAlive) return 'the server died'
  if (result.failures.length > 0) return `others got ${[...new Set(result.failures)].join(', ')}`
  const wait = Math.max(result.health, result.record)
  if (wait > attack.longestWait) return `others waited for ${Math.round(wait)} ms`
  if (result.memoryGrowth > (attack.mostMemory ?? MEMORY_BAR))
    return `the server took ${Math.round(result.memoryGrowth / 1024 ** 2)} MB more memory`
  return undefined
}

async function makeObservedRecord(target: Target): Promise<void> {
  const attributes = [{ alias: 'name', dataType: 'text' }]
  await target.send('POST', '/api/v1/schemas', { id: SCHEMA_ID, name: 'Observed', attributes })
  const values = { name: [{ scope: {}, value: 'Observed' }] }
  await target.send('POST', '/api/v1/records', { id: RECORD_ID, schemaId: SCHEMA_ID, values })
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REST))
}
