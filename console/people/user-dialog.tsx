// The form of a user. A password can be set here, but never read. Contract 2 §2.
import { useState } from 'preact/hooks'
import type { Endpoints } from '../api/types.ts'
import { Refusal } from '../api/failures.ts'
import { useSaving } from '../kit/acting.ts'
import { TextField } from '../kit/field.tsx'
import { DialogForm } from '../kit/draft-form.tsx'
import { NewPassword, passwordFault } from '../kit/new-password.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'

export type User = Endpoints['GET /api/v1/users/:id']['reply']

export function UserDialog(props: {
  readonly user: User | undefined
  /** True: another person has removed the user. */
  readonly isGone: boolean
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { user, isGone, roles, onDone, onClose } = props
  const { call, status } = useConsole()
  const [typed, setTyped] = useState({
    username: user?.username ?? '',
    name: user?.name ?? '',
    roleId: user?.roleId ?? 'role-viewer',
    password: '',
  })
  const saving = useSaving()
  const put = (changes: Partial<typeof typed>) => {
    saving.forgetError()
    setTyped({ ...typed, ...changes })
  }
  const isTaken = saving.error instanceof Refusal && saving.error.status === 409
  const spaced = /\s/.test(typed.username) ? t('people.noSpaces') : undefined
  const isReady = typed.username !== '' && (user !== undefined || typed.password !== '')
  const save = async () => {
    const { password, name, ...rest } = typed
    const given = { ...rest, ...(name === '' ? {} : { name }) }
    if (user === undefined) await call('POST /api/v1/users', { body: { ...given, password } })
    else {
      const body = { ...given, ...(password === '' ? {} : { password }) }
      await call('PATCH /api/v1/users/:id', { params: { id: user.id }, body })
    }
    status.tell(t('form.saved', { name: typed.username }))
    onDone()
    onClose()
  }
  return (
    <DialogForm
      guide="console#users"
      title={user === undefined ? t('people.addUser') : user.username}
      action={isGone ? undefined : t('save')}
      saving={isTaken ? { isBusy: saving.isBusy } : saving}
      closedBecause={isReady ? (spaced ?? passwordFault(typed.password)) : t('people.userNeeds')}
      onSubmit={() => saving.act(save)}
      onClose={onClose}
    >
      <TextField
        {...hinted('signIn.username', 'hint.people.username')}
        value={typed.username}
        error={isTaken ? t('form.taken') : spaced}
        isRequired
        onInput={(username) => put({ username })}
      />
      <TextField {...hinted('name', 'hint.people.name')} value={typed.name} onInput={(name) => put({ name })} />
      <SelectField
        {...hinted('people.role', 'hint.people.userRole')}
        value={typed.roleId}
        choices={roles.map(({ id, name }) => ({ id, name }))}
        onChange={(roleId) => put({ roleId })}
      />
      <NewPassword
        label={user === undefined ? t('signIn.password') : t('people.newPassword')}
        hint={user === undefined ? t('hint.people.password') : t('people.passwordStays')}
        value={typed.password}
        isRequired={user === undefined}
        onInput={(password) => put({ password })}
      />
      {isGone && (
        <p class="warning" role="alert">
          {t('error.NOT_FOUND')}
        </p>
      )}
    </DialogForm>
  )
}
