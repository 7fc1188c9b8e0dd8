// The user's own account: password, language, appearance, keys. Contract 2 §2 (me), 3 §7 (preferences).
import { createElement } from 'preact'
import { PlaceHead } from '../kit/place-head.tsx'
import { usePanel } from '../state/panels.ts'
import { PasswordForm } from './password-form.tsx'
import { useConsole } from '../state/context.ts'
import { useRoleNames } from '../state/role-names.ts'
import { hinted, t } from '../words/place.ts'
import { Segmented } from '../kit/chips.tsx'
import { Checkbox } from '../kit/field.tsx'
import { DENSITIES, THEMES } from '../state/preferences.ts'
import { ownName } from '../words/languages.ts'

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

/** Language, theme, density, letter keys: the account stores them. */
function Looks() {
  const { browser, preferences } = useConsole()
  return (
    <section>
      <h2>{t('account.looks')}</h2>
      <Segmented
        label={t('account.language')}
        value={preferences.language.value}
        choices={browser.spoken.map((id) => ({ id, name: ownName(id) }))}
        onChange={(language) => preferences.set({ language })}
      />
      <Segmented
        label={t('account.theme')}
        value={preferences.theme.value}
        choices={THEMES.map((id) => ({ id, name: t(`theme.${id}`) }))}
        onChange={(theme) => preferences.set({ theme })}
      />
      <Segmented
        {...hinted('account.density')}
        value={preferences.density.value}
        choices={DENSITIES.map((id) => ({ id, name: t(`density.${id}`) }))}
        onChange={(density) => preferences.set({ density })}
      />
      <h2>{t('account.keys')}</h2>
      <Checkbox
        {...hinted('account.letterKeys')}
        isChecked={preferences.letterKeys.value}
        onChange={(letterKeys) => preferences.set({ letterKeys })}
      />
      <p class="hint">{t('account.keysHelp')}</p>
    </section>
  )
}
