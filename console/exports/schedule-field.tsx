// The choice of a schedule in words, or as a cron expression.
import { useState } from 'preact/hooks'
import { Checkbox, TextField } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { hinted, t } from '../words/place.ts'
import { timesOf, weekdayName } from './schedule-text.ts'
import { readSchedule, type Schedule, type ScheduleKind, WEEK, writeSchedule } from './schedule-words.ts'

const KINDS = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly', 'cron'] as const
/** A pattern that no text fits, so that the browser does not submit a wrong time. */
const NOTHING = '[]'
const FIRST: Schedule = { kind: 'daily', minute: 0, hours: [2], weekdays: [1], day: 1 }

interface ScheduleFieldProps {
  /** A cron expression. */
  readonly value: string
  /** The fault of the expression. */
  readonly fault: string | undefined
  readonly onChange: (cron: string) => void
}

export function ScheduleField({ value, fault, onChange }: ScheduleFieldProps) {
  const schedule = readSchedule(value)
  const [isCron, setCron] = useState(schedule === undefined)
  const choose = (kind: ScheduleKind | 'cron') => {
    setCron(kind === 'cron')
    if (kind !== 'cron') onChange(writeSchedule(toKind(schedule ?? FIRST, kind)))
  }
  return (
    <>
      <SelectField
        {...hinted('exports.how')}
        value={isCron || schedule === undefined ? 'cron' : schedule.kind}
        choices={KINDS.map((id) => ({ id, name: t(`exports.kindOf.${id}`) }))}
        onChange={(kind) => choose(kind as ScheduleKind | 'cron')}
      />
      {isCron || schedule === undefined ? (
        <TextField
          label={t('exports.schedule')}
          value={value}
          hint={t('exports.scheduleHelp')}
          error={fault}
          onInput={onChange}
        />
      ) : (
        <Details key={schedule.kind} schedule={schedule} put={(next) => onChange(writeSchedule(next))} />
      )}
    </>
  )
}

function toKind(schedule: Schedule, kind: ScheduleKind): Schedule {
  const hours = kind === 'hourly' ? [] : schedule.hours.length === 0 ? FIRST.hours : schedule.hours
  return { ...schedule, kind, hours, weekdays: kind === 'weekly' ? FIRST.weekdays : [] }
}

function Details({ schedule, put }: { readonly schedule: Schedule; readonly put: (next: Schedule) => void }) {
  const { kind, minute, weekdays, day } = schedule
  const toggle = (weekday: number) => {
    const chosen = WEEK.filter((one) => (one === weekday) !== weekdays.includes(one))
    if (chosen.length > 0) put({ ...schedule, weekdays: chosen })
  }
  return (
    <div class="row">
      {kind === 'weekly' &&
        WEEK.map((weekday) => (
          <Checkbox
            key={weekday}
            label={weekdayName(weekday)}
            isChecked={weekdays.includes(weekday)}
            onChange={() => toggle(weekday)}
          />
        ))}
      {kind === 'monthly' && (
        <BoundedField
          label={t('exports.onDay')}
          value={day}
          most={31}
          put={(next) => put({ ...schedule, day: next })}
        />
      )}
      {kind === 'hourly' ? (
        <BoundedField
          label={t('exports.atMinute')}
          value={minute}
          least={0}
          most={59}
          put={(next) => put({ ...schedule, minute: next })}
        />
      ) : (
        <TimesField schedule={schedule} put={put} />
      )}
    </div>
  )
}

/** `02:00`, or several times of the same minute: `06:30, 18:30`. */
function TimesField({ schedule, put }: { readonly schedule: Schedule; readonly put: (next: Schedule) => void }) {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const isWrong = typed !== undefined && readTimes(typed) === undefined
  return (
    <TextField
      {...hinted('exports.at')}
      value={typed ?? timesOf(schedule).join(', ')}
      error={isWrong ? t('exports.atWrong') : undefined}
      isRequired
      checks={{ pattern: isWrong ? NOTHING : '.*' }}
      onInput={(text) => {
        setTyped(text)
        const times = readTimes(text)
        if (times !== undefined) put({ ...schedule, ...times })
      }}
    />
  )
}

function readTimes(text: string): Pick<Schedule, 'hours' | 'minute'> | undefined {
  const times = text.split(',').map((part) => /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(part.trim()))
  const minutes = new Set(times.map((time) => time?.[2]))
  const [minute] = minutes
  if (minute === undefined || minutes.size > 1) return undefined
  const hours = [...new Set(times.map((time) => Number(time?.[1])))].sort((one, other) => one - other)
  return { hours, minute: Number(minute) }
}

/** The draft keeps its last good number, and the browser does not submit another one. */
function BoundedField(props: {
  readonly label: string
  readonly value: number
  readonly least?: number
  readonly most: number
  readonly put: (value: number) => void
}) {
  const { label, value, least = 1, most, put } = props
  const [shown, setShown] = useState<number | undefined>(value)
  return (
    <NumberField
      label={label}
      value={shown}
      isRequired
      checks={{ min: least, max: most }}
      onInput={(next) => {
        setShown(next)
        if (Number.isInteger(next) && next! >= least && next! <= most) put(next!)
      }}
    />
  )
}
