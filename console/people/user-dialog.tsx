// The form of a user. A password can be set here, but never read. Contract 2 §2.
import { useState } from 'preact/hooks'
import type { Endpoints } from '../api/types.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'

export type User = Endpoints['GET /api/v1/users/:id']['reply']

export function UserDialog(props: {
  readonly user: User | undefined
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { user, roles, onDone, onClose } = props
  const { call, status } = useConsole()
  const [typed, setTyped] = useState({
    username: user?.username ?? '',
    name: user?.name ?? '',
    roleId: user?.roleId ?? 'role-viewer',
    password: '',
  })
  const [error, setError] = useState<Error | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const put = (changes: Partial<typeof typed>) => setTyped({ ...typed, ...changes })
  const isReady = typed.username !== '' && (user !== undefined || typed.password !== '')
  const save = async () => {
    setBusy(true)
    setError(undefined)
    const { password, name, ...rest } = typed
    const given = { ...rest, ...(name === '' ? {} : { name }) }
    try {
      if (user === undefined) await call('POST /api/v1/users', { body: { ...given, password } })
      else {
        const body = { ...given, ...(password === '' ? {} : { password }) }
        await call('PATCH /api/v1/users/:id', { params: { id: user.id }, body })
      }
      status.tell(t('people.userSaved', { name: typed.username }))
      onDone()
      onClose()
    } catch (fault) {
      setError(fault as Error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={user === undefined ? t('people.addUser') : user.username} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) void save()
        }}
      >
        <TextField
          label={t('people.username')}
          value={typed.username}
          isRequired
          onInput={(username) => put({ username })}
        />
        <TextField label={t('name')} value={typed.name} onInput={(name) => put({ name })} />
        <SelectField
          label={t('people.role')}
          value={typed.roleId}
          choices={roles.map(({ id, name }) => ({ id, name }))}
          onChange={(roleId) => put({ roleId })}
        />
        <TextField
          label={user === undefined ? t('people.password') : t('people.newPassword')}
          type="password"
          autocomplete="new-password"
          hint={user === undefined ? undefined : t('people.passwordStays')}
          value={typed.password}
          isRequired={user === undefined}
          onInput={(password) => put({ password })}
        />
        {error !== undefined && <ErrorBox error={error} />}
        <div class="row end">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={isBusy} closedBecause={isReady ? undefined : t('people.userNeeds')}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
