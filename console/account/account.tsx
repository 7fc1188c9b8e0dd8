// The user's own account: password, language, looks, keys. Contract 2 §2 (me), 3 §7 (preferences).
import { createElement } from 'preact'
import { PlaceHead } from '../kit/place-head.tsx'
import { usePanel } from '../state/panels.ts'
import { Looks } from './looks.tsx'
import { PasswordForm } from './password-form.tsx'
import { useConsole } from '../state/context.ts'
import { useRoleNames } from '../state/role-names.ts'
import { t } from '../words/place.ts'

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

/** The signed-in user, and the user's permissions. */
function You() {
  const { model, session } = useConsole()
  const me = model.me.value
  const [role = ''] = useRoleNames(me === null ? [] : [me.roleId])
  if (me === null) return null
  const username = session.user.value?.username ?? ''
  return (
    <section>
      <h2>{t('account.you')}</h2>
      <p>
        <strong dir="auto">{me.name}</strong> <span class="quiet">{username}</span>
      </p>
      <p>{t('account.role', { role })}</p>
      <details>
        <summary>{t('people.permissions')}</summary>
        <ul>
          {me.permissions.map((permission) => (
            <li key={permission}>
              <code>{permission}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
