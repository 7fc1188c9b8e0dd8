// Failed logins per username and per address: after 10 within 15 minutes, no more are tried. Decisions §2.
import { isIPv6 } from 'node:net'
import { PimletError } from '../domain/errors.ts'
import type { System } from '../system.ts'

const MAX_FAILURES = 10
const WINDOW_MILLISECONDS = 15 * 60_000
/** Of usernames and addresses together. Beyond it the oldest are forgotten. */
const MAX_SUBJECTS = 20_000

export function createLoginThrottle(system: Pick<System, 'now'>) {
  /** Times of failures, oldest first. A Map keeps the order in which its keys were set: oldest first too. */
  const failures = new Map<string, number[]>()

  function recent(subject: string, now: number): number[] {
    return (failures.get(subject) ?? []).filter((time) => time > now - WINDOW_MILLISECONDS)
  }

  function write(subject: string, times: number[]): void {
    failures.delete(subject)
    if (times.length === 0) return
    failures.set(subject, times)
    for (const oldest of failures.keys()) {
      if (failures.size <= MAX_SUBJECTS) break
      failures.delete(oldest)
    }
  }

  return {
    /**
     * Counts a failure before it is one, so that many attempts at the same moment count too.
     * @throws RATE_LIMITED
     */
    begin(username: string, address: string): LoginAttempt {
      const now = system.now().getTime()
      const user = `user ${username}`
      const place = `address ${networkOf(address)}`
      const subjects = [user, place]
      const blocked = subjects.map((subject) => recent(subject, now)).filter((times) => times.length >= MAX_FAILURES)
      if (blocked.length > 0) {
        const until = Math.max(...blocked.map((times) => times.at(-MAX_FAILURES)! + WINDOW_MILLISECONDS))
        throw new PimletError('RATE_LIMITED', 'Too many failed logins: try again later', {
          retryAfter: (until - now) / 1000,
        })
      }
      for (const subject of subjects) write(subject, [...recent(subject, now), now])
      const withdraw = (subject: string): void => {
        const times = failures.get(subject) ?? []
        const index = times.indexOf(now)
        if (index !== -1) write(subject, times.toSpliced(index, 1))
      }
      return {
        succeed() {
          failures.delete(user)
          withdraw(place)
        },
        withdraw() {
          subjects.forEach(withdraw)
        },
      }
    },
  }
}

export interface LoginAttempt {
  /** The password was right: the user's failures are forgotten, and this attempt was none of its address. */
  succeed(): void
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
