// Users: the accounts that may sign in, and their roles. Contract 2 §2, 3 §9.6.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Person } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { useRenewed } from '../state/use-renewed.ts'
import { t } from '../words/place.ts'
import { day } from '../words/words.ts'
import { PeopleNav } from './people-nav.tsx'
import { UserDialog } from './user-dialog.tsx'
import type { User } from './user-dialog.tsx'

export function Users() {
  const { call, cache } = useConsole()
  const { isBusy, act } = useActing()
  const [open, setOpen] = useState<User | 'new' | undefined>(undefined)
  const query = useQuery('people users', async (signal) => {
    const [users, roles] = await Promise.all([
      call('GET /api/v1/users', { signal }),
      call('GET /api/v1/roles', { signal }),
    ])
    return { users: users.body, roles: roles.body }
  })
  useRenewed(query)
  const renew = () => cache.refreshAll('people')
  const setDisabled = ({ id }: User, disabled: boolean) =>
    act(() => call('PATCH /api/v1/users/:id', { params: { id }, body: { disabled } })).then(renew)
  return (
    <>
      <PlaceHead
        title={t('people.users')}
        actions={
          <Button kind="main" icon="add" onClick={() => setOpen('new')}>
            {t('people.addUser')}
          </Button>
        }
      >
        <PeopleNav />
      </PlaceHead>
      <Shown query={query}>
        {({ users, roles }) => (
          <>
            <ul class="job-ledger model-ledger">
              {users.map((user) => (
                <li key={user.id} class="job-line">
                  <span class={user.disabled ? 'quiet' : 'strong'}>
                    <Person id={user.id} name={user.name} />{' '}
                    <span class="quiet" dir="auto">
                      {user.username}
                    </span>
                  </span>
                  <span dir="auto">{roles.find(({ id }) => id === user.roleId)?.name ?? user.roleId}</span>
                  <span class="quiet">
                    {user.disabled ? t('people.disabled') : t('people.since', { day: day(user.createdAt) })}
                  </span>
                  <div class="row end">
                    <Button isBusy={isBusy} onClick={() => void setDisabled(user, !user.disabled)}>
                      {user.disabled ? t('people.enable') : t('people.disable')}
                    </Button>
                    <Button label={`${t('edit')} ${user.username}`} icon="edit" onClick={() => setOpen(user)} />
                  </div>
                </li>
              ))}
            </ul>
            {open !== undefined && (
              <UserDialog
                user={open === 'new' ? undefined : open}
                isGone={open !== 'new' && users.every(({ id }) => id !== open.id)}
                roles={roles}
                onDone={renew}
                onClose={() => setOpen(undefined)}
              />
            )}
          </>
        )}
      </Shown>
    </>
  )
}
