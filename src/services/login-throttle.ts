// Failed logins per username and per address: after 10 within 15 minutes, no more are tried. Decisions §2.
import { isIPv6 } from 'node:net'
import { PimletError } from '../domain/errors.ts'
import type { System } from '../system.ts'

const MAX_FAILURES = 10
const WINDOW_MILLISECONDS = 15 * 60_000
/** Of usernames and addresses together. Beyond it the oldest are forgotten. */
const MAX_SUBJECTS = 20_000
/** Attempts that may wait for others of the same user or address. */
const MAX_WAITING = 64

export function createLoginThrottle(system: Pick<System, 'now'>) {
  /** Times of failures, oldest first. A Map keeps the order in which its keys were set: oldest first too. */
  const failures = new Map<string, number[]>()
  /** How many attempts of each subject are under way: each may become a failure. */
  const underWay = new Map<string, number>()
  let waiting: (() => void)[] = []

  function recent(subject: string, now: number): number[] {
    return (failures.get(subject) ?? []).filter((time) => time > now - WINDOW_MILLISECONDS)
  }

  function addFailure(subject: string, now: number): void {
    const times = [...recent(subject, now), now]
    failures.delete(subject)
    failures.set(subject, times)
    for (const oldest of failures.keys()) {
      if (failures.size <= MAX_SUBJECTS) break
      failures.delete(oldest)
    }
  }

  /** @throws RATE_LIMITED */
  function assertNotBlocked(subjects: readonly string[], now: number): void {
    const blocked = subjects.map((subject) => recent(subject, now)).filter((times) => times.length >= MAX_FAILURES)
    if (blocked.length === 0) return
    const until = Math.max(...blocked.map((times) => times.at(-MAX_FAILURES)! + WINDOW_MILLISECONDS))
    throw new PimletError('RATE_LIMITED', 'Too many failed logins: try again later', {
      retryAfter: (until - now) / 1000,
    })
  }

  /** Waits until one more failure of each subject would be allowed, and counts the attempt. @throws RATE_LIMITED, UNAVAILABLE */
  async function enter(subjects: readonly string[]): Promise<void> {
    for (;;) {
      const now = system.now().getTime()
      assertNotBlocked(subjects, now)
      const mayFail = (subject: string): boolean =>
        recent(subject, now).length + (underWay.get(subject) ?? 0) < MAX_FAILURES
      if (subjects.every(mayFail)) return count(subjects, 1)
      if (waiting.length >= MAX_WAITING)
        throw new PimletError('UNAVAILABLE', 'Too many logins at once: try again later', { retryAfter: 10 })
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  function count(subjects: readonly string[], difference: 1 | -1): void {
    for (const subject of subjects) {
      const attempts = (underWay.get(subject) ?? 0) + difference
      if (attempts === 0) underWay.delete(subject)
      else underWay.set(subject, attempts)
    }
  }

  function end(subjects: readonly string[]): void {
    count(subjects, -1)
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  return {
    /**
     * One of the attempts' methods must be called when it is over. So many attempts at the same moment that they could
     * fail too often together wait for each other: passwords that are right do not count.
     * @throws RATE_LIMITED; UNAVAILABLE where too many wait
     */
    async begin(username: string, address: string): Promise<LoginAttempt> {
      const user = `user ${username}`
      const subjects = [user, `address ${networkOf(address)}`]
      await enter(subjects)
      const now = system.now().getTime()
      return {
        succeed() {
          failures.delete(user)
          end(subjects)
        },
        fail() {
          for (const subject of subjects) addFailure(subject, now)
          end(subjects)
        },
        withdraw() {
          end(subjects)
        },
      }
    },
  }
}

export interface LoginAttempt {
  /** The password was right: the user's failures are forgotten. */
  succeed(): void
  fail(): void
  /** Nobody looked at the password. */
  withdraw(): void
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>

/** Whoever has an IPv6 address has its /64. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace('::ffff:', '')
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':')
}
