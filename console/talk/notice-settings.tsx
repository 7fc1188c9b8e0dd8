// The kinds of notices that a person gets, and the daily summary. Contract 5 §3, 5 §7.
import { useActing } from '../kit/acting.ts'
import { Checkbox } from '../kit/field.tsx'
import { Shown } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole, useRead } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { PRESENCE } from './presence.tsx'
import { SummaryForm } from './summary-form.tsx'

type Settings = Endpoints['GET /api/v1/notices/settings']['reply']
type Kind = Settings['off'][number]

const KINDS: readonly Kind[] = [
  'mention',
  'reply',
  'comment',
  'assignment',
  'dueTomorrow',
  'overdue',
  'exportFailed',
  'importEnded',
]

export function NoticeSettings() {
  const { call, preferences } = useConsole()
  const { act } = useActing()
  const query = useRead('notice settings', 'GET /api/v1/notices/settings')
  const set = async (settings: Settings, off: Kind[]) => {
    query.put({ ...settings, off })
    const isSet = await act(() => call('PUT /api/v1/notices/settings', { body: { off } }))
    if (!isSet) await query.refresh()
  }
  return (
    <>
      <section>
        <h2>{t('forMe.notices')}</h2>
        <p class="hint">{t('forMe.settingsHelp')}</p>
        <Shown query={query}>
          {(settings) => (
            <div class="checks">
              {KINDS.map((kind) => (
                <Checkbox
                  key={kind}
                  label={t(`forMe.kind.${kind}`)}
                  isChecked={!settings.off.includes(kind)}
                  onChange={(isOn) => {
                    const others = settings.off.filter((one) => one !== kind)
                    void set(settings, isOn ? others : [...others, kind])
                  }}
                />
              ))}
            </div>
          )}
        </Shown>
        <Checkbox
          {...hinted('presence.show')}
          isChecked={preferences.ofPlace(PRESENCE) !== false}
          onChange={(isShown) => preferences.setPlace(PRESENCE, isShown)}
        />
      </section>
      {query.data.value !== undefined && (
        <SummaryForm settings={query.data.value} onSaved={(saved) => query.put(saved)} />
      )}
    </>
  )
}
