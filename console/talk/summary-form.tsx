// The daily summary: whether, where and when. Contract 5 §7.
import { Button } from '../kit/button.tsx'
import { Combobox } from '../kit/combobox.tsx'
import { Checkbox, Field, TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { language, locale } from '../words/words.ts'
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import type { Endpoints } from '../api/types.ts'

interface SummaryFormProps {
  readonly settings: SummaryChoice
  readonly onSaved: (settings: SummaryChoice) => void
}

export function SummaryForm({ settings, onSaved }: SummaryFormProps) {
  const { typed, saving, put, closedBecause, save } = useSummary(settings, onSaved)
  return (
    <Form onSubmit={() => closedBecause === undefined && save()}>
      <h2>{t('summary.title')}</h2>
      {!settings.summary.isAvailable && <NoMessenger />}
      <Checkbox {...hinted('summary.isOn', 'summary.help')} isChecked={typed.isOn} onChange={(isOn) => put({ isOn })} />
      <TextField
        {...hinted('summary.email', 'summary.emailHelp')}
        type="email"
        value={typed.email}
        isRequired={typed.isOn}
        onInput={(email) => put({ email })}
      />
      <SelectField
        {...hinted('summary.hour', 'summary.hourHelp')}
        value={String(typed.hour)}
        choices={hours()}
        onChange={(hour) => put({ hour: Number(hour) })}
      />
      <Field {...hinted('exports.timezone', 'summary.timeZoneHelp')}>
        {(input) => (
          <Combobox
            input={input}
            value={zoneOf(typed.timeZone)}
            options={zones()}
            onChange={(zone) => zone !== null && put({ timeZone: zone.id })}
          />
        )}
      </Field>
      {saving.error !== undefined && <ErrorBox error={saving.error} />}
      <Button type="submit" isBusy={saving.isBusy} closedBecause={closedBecause}>
        {t('save')}
      </Button>
    </Form>
  )
}

function NoMessenger() {
  const { model } = useConsole()
  if (!model.may('users.manage')) return <p class="warning">{t('summary.noMessenger')}</p>
  return (
    <p class="warning">
      <span>
        {t('summary.noMessengerYet')} <a href={writeAddress({ place: 'messenger' })}>{t('summary.setUp')}</a>
      </span>
    </p>
  )
}

/** Returns full hours in the form of the language. */
function hours() {
  const format = new Intl.DateTimeFormat(locale.value, { timeStyle: 'short', timeZone: 'UTC' })
  return Array.from({ length: 24 }, (_, hour) => ({
    id: String(hour),
    name: format.format(Date.UTC(2000, 0, 1, hour)),
  }))
}

/** Browsers leave UTC out. */
function zones() {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map(zoneOf)
}

function zoneOf(id: string) {
  return { id, name: id.replaceAll('_', ' ') }
}

type SummaryChoice = Endpoints['GET /api/v1/notices/settings']['reply']
type Summary = SummaryChoice['summary']

/** The edited settings. */
function useSummary(settings: SummaryChoice, onSaved: (settings: SummaryChoice) => void) {
  const { call, status } = useConsole()
  const saving = useSaving()
  const [typed, setTyped] = useState(() => ({ email: settings.email ?? '', ...begin(settings) }))
  return {
    typed,
    saving,
    put: (changes: Partial<typeof typed>) => {
      saving.forgetError()
      setTyped({ ...typed, ...changes })
    },
    closedBecause: typed.isOn && typed.email.trim() === '' ? t('summary.emailFirst') : undefined,
    save: () =>
      saving.act(async () => {
        const { email, isOn, hour, timeZone } = typed
        const summary = { isOn, hour, timeZone, language: language.value }
        const body = { off: settings.off, email: email.trim() === '' ? null : email.trim(), summary }
        onSaved((await call('PUT /api/v1/notices/settings', { body })).body)
        status.tell(t('summary.saved'))
      }),
  }
}

/** A person who has never chosen begins with the time zone of the browser. */
function begin({ email, summary }: SummaryChoice): Pick<Summary, 'isOn' | 'hour' | 'timeZone'> {
  const isChosen = email !== null || summary.isOn
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return { isOn: summary.isOn, hour: summary.hour, timeZone: isChosen ? summary.timeZone : timeZone }
}
