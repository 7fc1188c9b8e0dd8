// A schedule as a sentence in the user's language.
import { t } from '../words/place.ts'
import { list, locale } from '../words/words.ts'
import { readSchedule, type Schedule } from './schedule-words.ts'

/** Returns the schedule as text: the cron expression itself, if it means more than one sentence. */
export function scheduleText(cron: string): string {
  const schedule = readSchedule(cron)
  if (schedule === undefined) return cron
  const { kind, minute, day } = schedule
  const times = list(timesOf(schedule))
  if (kind === 'hourly') return t('exports.says.hourly', { minute: String(minute).padStart(2, '0') })
  if (kind === 'weekly') return t('exports.says.weekly', { days: list(schedule.weekdays.map(weekdayName)), times })
  return kind === 'monthly' ? t('exports.says.monthly', { day, times }) : t(`exports.says.${kind}`, { times })
}

/** Returns a time such as `02:00` for each hour. */
export function timesOf({ hours, minute }: Pick<Schedule, 'hours' | 'minute'>): string[] {
  return hours.map((hour) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
}

/** @param weekday 0 is Sunday */
export function weekdayName(weekday: number): string {
  // 4 January 1970 was a Sunday.
  const at = new Date(Date.UTC(1970, 0, 4 + weekday))
  return new Intl.DateTimeFormat(locale.value, { weekday: 'short', timeZone: 'UTC' }).format(at)
}
