// Entries about sign-ins. A successful sign-in is written before its answer. Failures are counted in memory and written
// together. So a flood of failures costs one commit a minute and a bounded number of entries. Contract 3 §3.1.
import type { StoredUser } from './rules/account.ts'
import { defineSignInEntry, shownUsername, type SignIn } from '../feed/rules/account-entry.ts'
import type { Log } from '../../kernel/observing/log.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Store } from '../../store/port.ts'

/**
 * Milliseconds between the first failure and its entry (`DELAY`), and at least between two writes of entries
 * (`PERIOD`).
 */
const DELAY = 1000
const PERIOD = 60_000
/**
 * The most pairs of username and address that are counted separately between two writes (`MAX_COUNTED`). At most
 * `MAX_TOLD` of them get a separate entry.
 */
const MAX_COUNTED = 1000
const MAX_TOLD = 20
/** Counts all failures beyond these. */
const OTHERS = ''

interface Failures extends SignIn {
  /** The typed username. Its user is looked up when the entry is written. */
  readonly typed: string | null
}

export function createSignIns(deps: { store: Store; system: Pick<System, 'now' | 'newId'>; log: Log }) {
  const { store, system, log } = deps
  let failures = new Map<string, Failures>()
  let timer: NodeJS.Timeout | undefined
  let writtenAt = -Infinity
  let writing: Promise<void> = Promise.resolve()

  function count(key: string, failure: Failures): void {
    const isCounted = failures.has(key) || failures.size < MAX_COUNTED
    const others = { ...failure, typed: null, username: null, address: null }
    const [place, first] = isCounted ? [key, failure] : [OTHERS, others]
    const known = failures.get(place)
    failures.set(place, known === undefined ? first : { ...known, count: known.count + failure.count })
    const wait = Math.max(DELAY, writtenAt + PERIOD - performance.now())
    timer ??= setTimeout(() => void flush(), wait).unref()
  }

  async function write(): Promise<void> {
    const counted = failures
    failures = new Map()
    if (counted.size === 0) return
    writtenAt = performance.now()
    try {
      await store.transaction(async (tx) => {
        for (const { typed, ...signIn } of worstOf(counted)) {
          const user = typed === null ? undefined : await tx.users.findByUsername(typed)
          const head = { id: system.newId('aud'), timestamp: system.now().toISOString() }
          const entry = defineSignInEntry(head, 'loginFailed', user?.id, signIn)
          tx.feed.append({ kind: 'account', timestamp: head.timestamp, entry })
        }
      })
    } catch (error) {
      log.warn({ err: error }, 'failed sign-ins could not be written: they are tried again')
      for (const [key, failure] of counted) count(key, failure)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    /** Counts a failed sign-in, without waiting for storage. */
    noteFailure(username: string, address: string): void {
      const since = system.now().toISOString()
      const signIn = { username: shownUsername(username), address, count: 1, since }
      count(`${address} ${username}`, { ...signIn, typed: username })
    },

    /** Writes a successful sign-in. A full disk refuses no login: then only the log contains the login. */
    async noteSuccess({ id, username }: StoredUser, address: string): Promise<void> {
      try {
        await store.transaction(async (tx) => {
          const timestamp = system.now().toISOString()
          const signIn = { username, address, count: 1, since: timestamp }
          const entry = defineSignInEntry({ id: system.newId('aud'), timestamp }, 'login', id, signIn)
          tx.feed.append({ kind: 'account', timestamp, entry })
        })
      } catch (error) {
        log.warn({ err: error, userId: id, address }, 'a sign-in could not be written to the audit trail')
      }
    },

    /** Writes the counted failures; called before storage closes. */
    flush,
  }
}

export type SignIns = ReturnType<typeof createSignIns>

/** The most frequent failures, and one entry for all others. */
function worstOf(counted: ReadonlyMap<string, Failures>): Failures[] {
  const { [OTHERS]: beyond = [], pairs = [] } = Object.groupBy([...counted], ([key]) =>
    key === OTHERS ? key : 'pairs',
  )
  const worst = pairs.map(([, failure]) => failure).toSorted((one, other) => other.count - one.count)
  const rest = [...worst.slice(MAX_TOLD), ...beyond.map(([, failure]) => failure)]
  if (rest.length === 0) return worst
  const total = rest.reduce((sum, failure) => sum + failure.count, 0)
  const since = rest.map((failure) => failure.since).toSorted()[0]!
  return [...worst.slice(0, MAX_TOLD), { typed: null, username: null, address: null, count: total, since }]
}
