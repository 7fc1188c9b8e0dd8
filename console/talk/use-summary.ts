// The edited settings of the daily summary; saves them. Contract 5 §7.
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { language } from '../words/words.ts'

export type SummaryChoice = Endpoints['GET /api/v1/notices/settings']['reply']
type Summary = SummaryChoice['summary']

export function useSummary(settings: SummaryChoice, onSaved: (settings: SummaryChoice) => void) {
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
