// The signed-in user, and the user's permissions.
import { useConsole } from '../state/context.ts'
import { useRoleNames } from '../state/role-names.ts'
import { t } from '../words/place.ts'

export function You() {
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
