// The next runs of a job, in the time zones of the job and the user. Each run names a clock change since the previous
// run.

export interface NextRun {
  readonly at: string
  /** In the time zone of the job. */
  readonly inJobZone: string
  /** The time in the user's time zone, if that is another time. */
  readonly inUserZone: string | undefined
  /** A change of the job's offset since the previous run: `UTC+1` → `UTC+2`. */
  readonly clockChange: { readonly from: string; readonly to: string } | undefined
}

interface Zones {
  readonly job: string
  readonly user: string
  readonly locale: string
}

/** @param next times in order. A zone that the browser does not know counts as UTC */
export function nextRuns(next: readonly string[], zones: Zones): NextRun[] {
  const job = knownZone(zones.job)
  const user = knownZone(zones.user)
  const isLong = next.some((at) => yearOf(at) !== yearOf(next[0]!))
  return next.map((at, index) => {
    const inJobZone = timeIn(at, job, zones.locale, isLong)
    const inUserZone = timeIn(at, user, zones.locale, isLong)
    const [from, to] = [offsetIn(next[index - 1] ?? at, job), offsetIn(at, job)]
    return {
      at,
      inJobZone,
      inUserZone: inUserZone === inJobZone ? undefined : inUserZone,
      clockChange: from === to ? undefined : { from, to },
    }
  })
}

/** Weekday, day and time: `Mon 30 Mar, 02:00`. */
export function timeIn(at: string, timeZone: string, locale: string, hasYear = false): string {
  return new Intl.DateTimeFormat(locale, {
    ...(hasYear ? { year: 'numeric' } : {}),
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at))
}

function yearOf(at: string): string {
  return at.slice(0, 4)
}

/** Returns an offset such as `UTC+2`, the same in every language. */
function offsetIn(at: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')!.value.replace('GMT', 'UTC')
}

export function knownZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
