// Changes the user's password: all tokens end, and the answer contains a new one. Contract 2 §2.
import { useState } from 'preact/hooks'
import { Refusal } from '../api/failures.ts'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { NewPassword, passwordFault } from '../kit/new-password.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'

const EMPTY = { current: '', next: '', again: '' }

export function PasswordForm() {
  const { call, session, status } = useConsole()
  const [typed, setTyped] = useState(EMPTY)
  const { isBusy, error, forgetError, act } = useSaving()
  const put = (changes: Partial<typeof EMPTY>) => {
    forgetError()
    setTyped({ ...typed, ...changes })
  }
  const isOther = typed.again !== '' && typed.again !== typed.next
  // The message names the field at fault.
  const isWrong = error instanceof Refusal && error.message.startsWith('currentPassword')
  const isReady =
    passwordFault(typed.next) === undefined &&
    !isOther &&
    typed.current !== '' &&
    typed.next !== '' &&
    typed.again === typed.next
  const change = async () => {
    const body = { currentPassword: typed.current, newPassword: typed.next }
    session.replace((await call('PUT /api/v1/me/password', { body })).body)
    setTyped(EMPTY)
    status.tell(t('account.passwordChanged'))
  }
  return (
    <Form onSubmit={() => isReady && act(change)}>
      <h2>{t('signIn.password')}</h2>
      {/* Password managers look for the username. */}
      <input type="text" autocomplete="username" value={session.user.value?.username} readOnly hidden />
      <TextField
        label={t('account.current')}
        type="password"
        autocomplete="current-password"
        value={typed.current}
        error={isWrong ? t('account.wrong') : undefined}
        onInput={(current) => put({ current })}
      />
      <NewPassword
        {...hinted('people.newPassword', 'hint.account.newPassword')}
        value={typed.next}
        onInput={(next) => put({ next })}
      />
      <TextField
        label={t('account.again')}
        type="password"
        value={typed.again}
        error={isOther ? t('account.differs') : undefined}
        onInput={(again) => put({ again })}
      />
      {error !== undefined && !isWrong && <ErrorBox error={error} />}
      <Button type="submit" isBusy={isBusy}>
        {t('account.changePassword')}
      </Button>
    </Form>
  )
}
