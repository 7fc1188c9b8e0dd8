// The user's own account: password, language, looks, keys. Contract 2 §2 (me), 3 §7 (preferences).
import { createElement } from 'preact'
import { PlaceHead } from '../kit/place-head.tsx'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/words.ts'
import { Looks } from './looks.tsx'
import { PasswordForm } from './password-form.tsx'
import { You } from './you.tsx'

function Notices() {
  const panel = usePanel('noticeSettings', true)
  return panel === undefined ? null : createElement(panel, {})
}

export function Account() {
  return (
    <>
      <PlaceHead title={t('place.account')} />
      <div class="page columns">
        <You />
        <Looks />
        <PasswordForm />
        <Notices />
      </div>
    </>
  )
}
