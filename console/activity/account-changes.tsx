// The list of account changes: users, API keys, roles, sign-ins and sign-outs. Contract 3 §3.1.
import { Ago } from '../kit/ago.tsx'
import { PagedList } from './paged-list.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { usePeople } from '../state/people.ts'
import { useRoleName } from '../state/role-names.ts'
import { t } from '../words/place.ts'

type Item = Endpoints['GET /api/v1/changes']['reply']['items'][number]
type Entry = Extract<Item, { readonly entityType: 'user' | 'apiKey' | 'role' }>
type Change = Entry['changes'][number]
type NameOf = (id: string) => string

const PAGE = 50

export function AccountChanges() {
  const { call } = useConsole()
  const nameOf = usePeople()
  const roleOf = useRoleName()
  const paged = usePagedQuery<Entry>('activity accounts', async (after, signal) => {
    const query = { entityType: 'account', before: after ?? 'latest', limit: PAGE } as const
    const { body } = await call('GET /api/v1/changes', { query, signal })
    const items = body.items.filter(isOfAccount)
    return { items, total: undefined, next: body.items.length < PAGE ? undefined : body.cursor }
  })
  return (
    <PagedList
      paged={paged}
      none={{
        icon: 'activity',
        title: t('activity.noAccounts'),
        help: t('activity.noAccountsHelp'),
        next: ['users', t('people.users')],
      }}
    >
      {(entries) => (
        <table class="ledger" aria-label={t('activity.accounts')}>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <th scope="row" dir="auto">
                  {sentenceOf(entry, nameOf)}
                </th>
                <td dir="auto" class="wide" title={detailOf(entry, roleOf)}>
                  {detailOf(entry, roleOf)}
                </td>
                <td dir="auto" class="wide">
                  {doerOf(entry, nameOf)}
                </td>
                <td class="number">
                  <Ago at={entry.timestamp} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PagedList>
  )
}

function isOfAccount(item: Item): item is Entry {
  return 'entityType' in item && ['user', 'apiKey', 'role'].includes(item.entityType ?? '')
}

function sentenceOf(entry: Entry, nameOf: NameOf): string {
  const { action, entityType, changes } = entry
  const told = changes.find(({ field }) => field === 'name')
  const named = told?.newValue ?? told?.oldValue
  const name = typeof named === 'string' ? named : nameOf(entry.entityId ?? '')
  if (action === 'login') return t('activity.account.login', { name })
  if (action === 'logout') return t('activity.account.logout', { name })
  if (action !== 'loginFailed') return t(`activity.account.${action}`, { kind: t(`activity.kind.${entityType}`), name })
  const { username = null, count = 1 } = signInOf(entry) ?? {}
  if (username === null) return t('activity.account.othersFailed', { count })
  return t('activity.account.loginFailed', { count, name: username })
}

function signInOf(entry: Entry) {
  return 'signIn' in entry ? entry.signIn : undefined
}

/** The details of an entry: the address of a sign-in, or the changed members. */
function detailOf(entry: Entry, roleOf: NameOf): string {
  const signIn = signInOf(entry)
  if (signIn !== undefined) return signIn.address ?? t('activity.account.severalAddresses')
  if (entry.action === 'update') return entry.changes.map((change) => changeText(change, roleOf)).join(', ')
  return entry.changes
    .filter(({ field, newValue }) => field === 'roleId' && newValue !== null)
    .map((change) => changeText(change, roleOf))
    .join('')
}

const FIELDS = {
  name: 'name',
  username: 'signIn.username',
  roleId: 'people.role',
  password: 'people.newPassword',
  expiresAt: 'people.expiresOn',
  permissions: 'people.permissions',
  defaultAttributePermission: 'model.attributes',
  attributePermissions: 'model.attributes',
} as const

function changeText({ field, oldValue, newValue }: Change, roleOf: NameOf): string {
  if (field === 'disabled') return t(newValue === true ? 'people.disabled' : 'activity.account.enabled')
  const label = Object.hasOwn(FIELDS, field) ? t(FIELDS[field as keyof typeof FIELDS]) : field
  if (typeof newValue !== 'string') return label
  const said = field === 'roleId' ? roleOf : (text: string) => text
  return typeof oldValue === 'string'
    ? `${label}: ${said(oldValue)} → ${said(newValue)}`
    : `${label}: ${said(newValue)}`
}

function doerOf({ userId, origin, action }: Entry, nameOf: NameOf): string {
  if (origin.kind === 'command') return t('activity.account.command')
  return action === 'loginFailed' ? '' : nameOf(userId)
}
