// One timer per active job, which tells when its schedule matches. Contract 1 §3.2, 2 §6. Timers sleep for half a
// minute at most and then ask the clock again, because they stop while the machine is suspended and do not notice when
// the clock is set.
import { lastMatch, nextMatch } from './schedules.ts'

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

  /** From now on matches of the job are reported. Throws for an invalid schedule or time zone. */
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

  /** Follows these and no others; one whose schedule is as it was goes on as it is. */
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
