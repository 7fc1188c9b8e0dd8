// Limits failed logins. After 10 failures of a username from one address within 15 minutes, further attempts of this
// pair are refused. A username that fails from many addresses is slowed but never blocked, so strangers cannot lock
// anybody out. Several servers count failures together, but attempts under way separately. Contract 2 §2, 3 §9.14.
import { setTimeout as sleepFor } from 'node:timers/promises'
import { isIPv6 } from 'node:net'
import { PimletError } from '../../kernel/errors.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { LoginFailure, LoginFailures } from '../../store/account-port.ts'
import { Counts, FailureCounts, LatestSet, timesOf } from './login-counts.ts'

const MAX_FAILURES = 10
/** Milliseconds that each failure of a username beyond `MAX_FAILURES`, from any address, adds to its logins. */
const DELAY_STEP = 100
const MAX_DELAY = 5000
/**
 * Logins whose passwords are being checked or wait for the check, by username and by address. No username or address may
 * fill the queue alone.
 */
const MAX_UNDER_WAY = 8
/** The most logins that wait: of one username for their delay, of one address for its other logins, and in total. */
const MAX_DELAYED = 64
const MAX_WAITING_OF_ADDRESS = 64
const MAX_WAITING = 512
/** Pairs of username and address that are remembered as signed in. */
const MAX_KNOWN = 10_000
const RETRY_AFTER_SECONDS = 10

type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>

const sleepUntil: Sleep = (milliseconds, signal) =>
  sleepFor(milliseconds, undefined, signal === undefined ? {} : { signal })

/** The keys that failures and attempts are counted by: username, address, and both. */
interface Subjects {
  readonly user: string
  readonly network: string
  readonly pair: string
}

interface Told extends LoginFailure {
  readonly subjects: readonly string[]
}

/** @param shared failures that other servers also count; undefined: only this server counts */
export function createLoginThrottle(
  system: Pick<System, 'now' | 'newId'>,
  sleep: Sleep = sleepUntil,
  shared?: LoginFailures,
) {
  const failures = new FailureCounts(() => system.now().getTime(), MAX_FAILURES + MAX_DELAY / DELAY_STEP)
  /** Pairs that have signed in before: failures of the username from elsewhere do not slow them. */
  const known = new LatestSet(MAX_KNOWN)
  /**
   * Counts that this server is writing for other servers. Each read of the shared counts lists the counts that its
   * answer may lack.
   */
  const telling = new Set<Told>()
  const readings = new Set<Told[]>()
  const underWay = new Counts()
  const delayed = new Counts()
  const waiting = new Counts()
  let waiters: (() => void)[] = []

  async function learn(from: LoginFailures, { user, pair }: Subjects): Promise<void> {
    const subjects = [user, pair]
    const meanwhile = [...telling]
    readings.add(meanwhile)
    try {
      const known = await from.of(subjects, failures.since)
      for (const [index, subject] of subjects.entries()) {
        const own = meanwhile.filter((told) => told.subjects.includes(subject))
        failures.put(subject, timesOf([...known[index]!, ...own]))
      }
    } finally {
      readings.delete(meanwhile)
    }
  }

  async function tell(others: LoginFailures, { user, pair }: Subjects): Promise<void> {
    const failure = { id: system.newId('fail'), at: system.now().getTime() }
    const told: Told = { ...failure, subjects: [pair, user] }
    telling.add(told)
    for (const reading of readings) reading.push(told)
    try {
      await others.add(told.subjects, failure, failures.since)
    } finally {
      telling.delete(told)
    }
  }

  /** Stores the failure for other servers before the client receives the answer. */
  function noteFailure(subjects: Subjects): Promise<void> | undefined {
    const { user, pair } = subjects
    failures.add(pair)
    failures.add(user)
    return leaveAfter(shared && tell(shared, subjects), subjects)
  }

  function noteSuccess(subjects: Subjects): Promise<void> | undefined {
    const { pair } = subjects
    const hasFailed = failures.count(pair) > 0
    failures.forget(pair)
    known.add(pair)
    return leaveAfter(hasFailed ? shared?.forget(pair) : undefined, subjects)
  }

  function leaveAfter(telling: Promise<void> | undefined, subjects: Subjects): Promise<void> | undefined {
    if (telling !== undefined) return telling.finally(() => leave(subjects))
    leave(subjects)
    return undefined
  }

  function delayOf({ user, pair }: Subjects): number {
    if (known.has(pair)) return 0
    // Attempts under way count as failures, so that simultaneous attempts gain nothing.
    const beyond = failures.count(user) + underWay.of(user) - MAX_FAILURES
    return Math.min(MAX_DELAY, Math.max(0, beyond * DELAY_STEP))
  }

  /** @throws UNAVAILABLE if too many logins wait, the reason of `signal` */
  async function beSlow(subjects: Subjects, signal: AbortSignal | undefined): Promise<void> {
    const delay = delayOf(subjects)
    if (delay === 0) return
    // Addresses with failures of the username leave half of the places to other addresses.
    const places = failures.count(subjects.pair) === 0 ? MAX_DELAYED : MAX_DELAYED / 2
    await whileCounted(delayed, subjects.user, places, () => sleep(delay, signal))
  }

  /** Runs `work`, unless `max` runs for the same subject are under way. @throws UNAVAILABLE */
  async function whileCounted(
    counts: Counts,
    subject: string,
    max: number,
    work: () => Promise<unknown>,
  ): Promise<void> {
    if (counts.of(subject) >= max || delayed.total + waiting.total >= MAX_WAITING)
      throw new PimletError('UNAVAILABLE', 'Too many logins at once: try again later', {
        retryAfter: RETRY_AFTER_SECONDS,
      })
    counts.add(subject)
    try {
      await work()
    } finally {
      counts.remove(subject)
    }
  }

  /** @throws RATE_LIMITED until fewer than ten failures are younger than 15 minutes */
  function assertMayTry(pair: string): void {
    const until = failures.whenFewer(pair, MAX_FAILURES)
    if (until === undefined) return
    const message = `${MAX_FAILURES} logins of this username have failed from your address within 15 minutes: try again later`
    throw new PimletError('RATE_LIMITED', message, { retryAfter: (until - system.now().getTime()) / 1000 })
  }

  /** Waits until one more failure of the pair would be allowed, and counts the attempt. @throws RATE_LIMITED, UNAVAILABLE */
  async function enter(subjects: Subjects, signal: AbortSignal | undefined): Promise<void> {
    const { user, network, pair } = subjects
    for (;;) {
      signal?.throwIfAborted()
      assertMayTry(pair)
      const mayFail = failures.count(pair) + underWay.of(pair) < MAX_FAILURES
      const isBusy = [user, network].some((subject) => underWay.of(subject) >= MAX_UNDER_WAY)
      if (mayFail && !isBusy) return underWay.add(user, network, pair)
      const others = (): Promise<void> => new Promise((resolve) => waiters.push(resolve))
      await whileCounted(waiting, network, MAX_WAITING_OF_ADDRESS, others)
    }
  }

  function leave({ user, network, pair }: Subjects): void {
    underWay.remove(user, network, pair)
    const woken = waiters
    waiters = []
    for (const wake of woken) wake()
  }

  return {
    /**
     * Begins an attempt; the caller must call one of its methods at the end. Simultaneous attempts that could fail too
     * often together wait for each other: correct passwords do not count.
     * @throws RATE_LIMITED; UNAVAILABLE if too many wait; the reason of `signal`
     */
    async begin(username: string, address: string, signal?: AbortSignal): Promise<LoginAttempt> {
      const network = networkOf(address)
      const subjects = { user: `user ${username}`, network: `from ${network}`, pair: `pair ${network} ${username}` }
      if (shared !== undefined) await learn(shared, subjects)
      assertMayTry(subjects.pair)
      await beSlow(subjects, signal)
      await enter(subjects, signal)
      return {
        succeed: () => noteSuccess(subjects),
        fail: () => noteFailure(subjects),
        withdraw: () => leave(subjects),
      }
    },
  }
}

interface LoginAttempt {
  /** Ends an attempt with a correct password: failures of this username from this address are forgotten. */
  succeed(): Promise<void> | undefined
  fail(): Promise<void> | undefined
  /** Ends an attempt whose password was not checked. */
  withdraw(): void
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>

/** IPv6 clients usually have a whole /64, so that counts as one address. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace('::ffff:', '')
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':')
}
