// The last use of API keys, to the hour. Uses are noted in memory and written later, so that no request waits. Contract
// 2 §2.
import type { Log } from '../../kernel/observing/log.ts'
import type { Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'

const HOUR = 3_600_000
/** Milliseconds from a first use until it is written. */
const DELAY = 1000

export function createKeyUsage(deps: { store: Store; system: Pick<System, 'now'>; log: Log }) {
  /** Key ID → the hour that was noted last. */
  const noted = new Map<string, number>()
  const unwritten = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const uses = [...unwritten]
    unwritten.clear()
    if (uses.length === 0) return
    try {
      await deps.store.transaction(async (tx) => {
        for (const [id, lastUsedAt] of uses) {
          const key = await tx.apiKeys.get(id)
          if (key !== undefined && key.lastUsedAt !== lastUsedAt) await tx.apiKeys.update({ ...key, lastUsedAt })
        }
      })
    } catch (error) {
      for (const [id] of uses) noted.delete(id)
      deps.log.warn({ err: error }, 'the last use of API keys could not be written')
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    note(keyId: string): void {
      const now = deps.system.now().getTime()
      const hour = now - (now % HOUR)
      if (noted.get(keyId) === hour) return
      noted.set(keyId, hour)
      unwritten.set(keyId, new Date(hour).toISOString())
      timer ??= setTimeout(() => void flush(), DELAY).unref()
    },

    /** Returns the last use since this start, written or not, in ISO 8601. Undefined: this server knows no use. */
    lastUse(keyId: string): string | undefined {
      const hour = noted.get(keyId)
      return hour === undefined ? undefined : new Date(hour).toISOString()
    },

    forget(keyId: string): void {
      noted.delete(keyId)
      unwritten.delete(keyId)
    },

    /** Writes the noted uses; called before storage closes. */
    flush,
  }
}

export type KeyUsage = ReturnType<typeof createKeyUsage>
