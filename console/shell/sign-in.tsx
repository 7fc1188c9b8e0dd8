// The sign-in form. Password managers look for these names of fields. Contract 2 §2, 3 §9.14.
import { useEffect, useState } from 'preact/hooks'
import { Refusal } from '../api/failures.ts'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { Icon } from '../kit/icon.tsx'
import { failureText } from '../kit/failure-text.ts'
import { Mark } from '../kit/mark.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'
import { clockText } from './clock-text.ts'

export function SignIn({ username: known = '' }: { readonly username?: string | undefined }) {
  const { session } = useConsole()
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const { isBusy, error, act } = useSaving()
  const [left, setLeft] = useCountdown()
  const signIn = () =>
    act(async () => {
      try {
        await session.signIn(username, password)
      } catch (failure) {
        if (!(failure instanceof Refusal) || failure.status !== 429) throw failure
        setLeft(failure.retryAfter ?? 60)
      }
    })
  return (
    <Form class="sign-in" onSubmit={signIn}>
      {known === '' && <Brand />}
      {!window.isSecureContext && (
        <p class="warning">
          <Icon name="lock" />
          {t('signIn.insecure')}
        </p>
      )}
      <TextField
        label={t('signIn.username')}
        name="username"
        autocomplete="username"
        value={username}
        onInput={setUsername}
        hasFocus={known === ''}
        isRequired
      />
      <TextField
        label={t('signIn.password')}
        name="password"
        type="password"
        autocomplete="current-password"
        value={password}
        onInput={setPassword}
        hasFocus={known !== ''}
        isRequired
      />
      <Button kind="main" type="submit" isBusy={isBusy} closedBecause={left > 0 ? waitText(left) : undefined}>
        {t('signIn.action')}
      </Button>
      <div role="alert" class="fault">
        {left > 0 ? waitText(left) : error && faultText(error)}
      </div>
    </Form>
  )
}

/** The name of the product, on a page without a place. */
export function Brand() {
  return (
    <h1 class="brand">
      <Mark /> pimlet <span class="quiet">{location.host}</span>
    </h1>
  )
}

function faultText(error: Error): string {
  return error instanceof Refusal && error.status === 401 ? t('signIn.wrong') : failureText(error)
}

function waitText(seconds: number): string {
  return t('signIn.wait', { time: clockText(seconds) })
}

/** Remaining seconds, counted down. */
function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return undefined
    const timer = window.setTimeout(() => setLeft(left - 1), 1000)
    return () => window.clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
