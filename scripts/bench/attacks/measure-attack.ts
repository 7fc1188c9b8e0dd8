// Runs one attack against a server of its own with little memory, while somebody else keeps asking it.
import { type Command, startPimlet } from '../processes.ts'
import { type Attack, openTarget, type Target } from './attack.ts'
import { startObserver } from './observer.ts'

/** MiB that V8 may use for the main thread's old objects. */
export const HEAP_LIMIT = 512
/** Bytes that the server may take more while it is attacked, where the attack says nothing else. */
export const MEMORY_BAR = 250 * 1024 ** 2

const SCHEMA_ID = 'sch-observed'
const RECORD_ID = 'ent-observed'
/** Milliseconds in which the server comes to rest before it is attacked, and that it is watched afterwards. */
const REST = 500

export interface AttackResult {
  /** The longest wait of somebody else, in milliseconds: for health and for a record. */
  readonly health: number
  readonly record: number
  /** What others got instead of an answer. */
  readonly failures: readonly string[]
  /** Bytes that the server took more than before, at the most. */
  readonly memoryGrowth: number
  readonly isAlive: boolean
  readonly outcome: string
}

/** `command` is Node with `--max-old-space-size=${HEAP_LIMIT}` and pimlet; `args` are more of its flags. */
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

/** Why the attack succeeded, or undefined where everybody else was served as if nothing was. */
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
