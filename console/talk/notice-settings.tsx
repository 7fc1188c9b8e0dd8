// Which notices a person gets. Contract 5 §3.
import { useActing } from '../kit/acting.ts'
import { Checkbox } from '../kit/field.tsx'
import { Shown } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole, useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { PRESENCE } from './presence.tsx'

type Kind = Endpoints['GET /api/v1/notices/settings']['reply']['off'][number]

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
  const set = async (off: readonly Kind[]) => {
    const present = query.data.peek()
    if (present !== undefined) query.put({ ...present, off: [...off] })
    const isSet = await act(() => call('PUT /api/v1/notices/settings', { body: { off: [...off] } }))
    if (!isSet) await query.refresh()
  }
  return (
    <section>
      <h2>{t('forMe.settings')}</h2>
      <p class="hint">{t('forMe.settingsHelp')}</p>
      <Shown query={query}>
        {({ off }) => (
          <div class="checks">
            {KINDS.map((kind) => (
              <Checkbox
                key={kind}
                label={t(`forMe.kind.${kind}`)}
                isChecked={!off.includes(kind)}
                onChange={(isOn) => void set(isOn ? off.filter((one) => one !== kind) : [...off, kind])}
              />
            ))}
          </div>
        )}
      </Shown>
      <Checkbox
        label={t('presence.show')}
        hint={t('hint.presence.show')}
        isChecked={preferences.ofPlace(PRESENCE) !== false}
        onChange={(isShown) => preferences.setPlace(PRESENCE, isShown)}
      />
    </section>
  )
}
