// Schedules of export jobs: one timer for each active job. Contract 1 §3.2, 2 §6. A timer sleeps for half a minute at most
// and then reads the clock. Timers stop while the machine is suspended, and do not notice a changed clock. Home of croner,
// which only computes the next match. Daylight saving: if the fixed time of a job does not exist, the job runs at the first
// moment after the gap. If its time exists twice, the job runs once. A job with wildcards or steps follows elapsed time.
import { Cron } from 'croner'

interface ScheduledJob {
  readonly id: string
  readonly schedule: string
  readonly timezone: string
}

interface SchedulerEvents {
  /** The schedule has matched; of several matches at once, the latest. */
  onMatch(jobId: string, match: Date): void
  /** The latest match was missed: it is longer ago than `LATENESS`. */
  onMissed(jobId: string, match: Date): void
}

const LONGEST_SLEEP = 30_000
/** Milliseconds after which a match counts as missed. */
const LATENESS = 60_000
/** A clock that is set back by less does not make matches come again. */
const REMEMBERED = 3_600_000

interface Entry {
  readonly job: ScheduledJob
  timer: NodeJS.Timeout | undefined
  due: Date | undefined
  /** The last match that was reported. */
  last: Date | undefined
}

export class Scheduler {
  readonly #now: () => Date
  readonly #events: SchedulerEvents
  readonly #entries = new Map<string, Entry>()
  #isStopped = false

  constructor(now: () => Date, events: SchedulerEvents) {
    this.#now = now
    this.#events = events
  }

  /** Reports matches of the job from now on. Throws for an invalid schedule or time zone. */
  add(job: ScheduledJob): void {
    this.remove(job.id)
    if (this.#isStopped) return
    const now = this.#now()
    const entry: Entry = { job, timer: undefined, due: nextMatch(job.schedule, job.timezone, now), last: undefined }
    this.#entries.set(job.id, entry)
    this.#sleep(entry, now)
  }

  remove(jobId: string): void {
    clearTimeout(this.#entries.get(jobId)?.timer)
    this.#entries.delete(jobId)
  }

  /** Follows exactly these jobs; an unchanged schedule continues. */
  keep(jobs: readonly ScheduledJob[], add: (job: ScheduledJob) => void): void {
    const known = new Set(jobs.map(({ id }) => id))
    for (const jobId of this.#entries.keys()) if (!known.has(jobId)) this.remove(jobId)
    for (const job of jobs) {
      const before = this.#entries.get(job.id)?.job
      if (before?.schedule !== job.schedule || before.timezone !== job.timezone) add(job)
    }
  }

  /** Follows nothing until something is added. */
  clear(): void {
    for (const jobId of this.#entries.keys()) this.remove(jobId)
  }

  stop(): void {
    this.#isStopped = true
    this.clear()
  }

  #sleep(entry: Entry, now: Date): void {
    if (entry.due === undefined) return
    const time = Math.min(Math.max(entry.due.getTime() - now.getTime(), 1), LONGEST_SLEEP)
    entry.timer = setTimeout(() => this.#wake(entry), time)
    entry.timer.unref()
  }

  #wake(entry: Entry): void {
    const now = this.#now()
    const { schedule, timezone } = entry.job
    const match = entry.due !== undefined && now >= entry.due ? lastMatch(schedule, timezone, now) : undefined
    if (match !== undefined) entry.last = match
    entry.due = nextMatch(schedule, timezone, this.#beginOfSearch(entry, now))
    this.#sleep(entry, now)
    if (match === undefined) return
    if (now.getTime() - match.getTime() <= LATENESS) this.#events.onMatch(entry.job.id, match)
    else this.#events.onMissed(entry.job.id, match)
  }

  #beginOfSearch({ last }: Entry, now: Date): Date {
    return last !== undefined && last > now && last.getTime() - now.getTime() <= REMEMBERED ? last : now
  }
}

/** Parsed expressions that are kept. */
const KEPT = 1000
const parsed = new Map<string, Cron>()

/** The fault of a schedule, as a field's name and the rest of a sentence, or undefined. */
export function findScheduleFault(schedule: string, timezone: string, now: Date): string | undefined {
  if (!isTimezone(timezone)) return 'timezone must be an IANA time zone, such as Europe/Berlin'
  const fields = schedule.trim().split(/\s+/).length
  if (fields !== 5 && fields !== 6) return 'schedule must be a cron expression of 5 or 6 fields'
  try {
    return nextMatch(schedule, timezone, now) === undefined ? 'schedule never matches: no such date exists' : undefined
  } catch (error) {
    return `schedule is not a cron expression: ${reasonOf(error)}`
  }
}

/** The first match after `from`. Throws if `findScheduleFault` finds a fault. */
export function nextMatch(schedule: string, timezone: string, from: Date): Date | undefined {
  return parse(schedule, timezone).nextRun(from) ?? undefined
}

/** The first `count` matches after `from`; fewer if there are no more. Throws if `findScheduleFault` finds a fault. */
export function nextMatches(schedule: string, timezone: string, from: Date, count: number): Date[] {
  return parse(schedule, timezone).nextRuns(count, from)
}

/** The last match before or at `until`. */
export function lastMatch(schedule: string, timezone: string, until: Date): Date | undefined {
  // croner leaves out the very moment that it is given, and looks at whole seconds.
  const justAfter = Math.floor(until.getTime() / 1000) * 1000 + 1
  return parse(schedule, timezone).previousRuns(1, new Date(justAfter))[0]
}

function parse(schedule: string, timezone: string): Cron {
  const key = `${timezone} ${schedule}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const fresh = new Cron(schedule, { timezone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard' })
  if (parsed.size >= KEPT) parsed.clear()
  parsed.set(key, fresh)
  return fresh
}

/** Names only: an offset such as +02:00 has no daylight saving. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^\w+: /, '').slice(0, 200)
}
