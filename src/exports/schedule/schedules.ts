// When a cron expression matches. Home of croner, which only computes here: timers and the clock are the scheduler's.
// Contract 2 §6. Daylight saving: a job at fixed times runs at the first moment after the gap when its time does not
// exist, and once when its time exists twice; one with wildcards or steps in its times goes by elapsed time.
import { Cron } from 'croner'

/** Parsed expressions that are kept. */
const KEPT = 1000
const parsed = new Map<string, Cron>()

/** What is wrong with a schedule, as a field's name and the rest of a sentence, or undefined. */
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

/** The first match after `from`. Throws for what `findScheduleFault` refuses. */
export function nextMatch(schedule: string, timezone: string, from: Date): Date | undefined {
  return parse(schedule, timezone).nextRun(from) ?? undefined
}

/** The first `count` matches after `from`; fewer where there are no more. Throws for what `findScheduleFault` refuses. */
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

/** Names only: an offset such as +02:00 knows no daylight saving. */
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
