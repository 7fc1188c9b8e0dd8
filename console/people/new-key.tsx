// A new API key: its form, then the key itself, shown only once.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { CopyText } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'

export function NewKeyDialog(props: {
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { call } = useConsole()
  const [typed, setTyped] = useState({ name: '', roleId: 'role-viewer', expires: '' })
  const [made, setMade] = useState<string | undefined>(undefined)
  const [error, setError] = useState<Error | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const isReady = typed.name.trim() !== ''
  const save = async () => {
    setBusy(true)
    setError(undefined)
    const { name, roleId, expires } = typed
    const expiresAt = expires === '' ? {} : { expiresAt: new Date(`${expires}T23:59:59.999`).toISOString() }
    try {
      setMade((await call('POST /api/v1/api-keys', { body: { name, roleId, ...expiresAt } })).body.key)
      props.onDone()
    } catch (fault) {
      setError(fault as Error)
    } finally {
      setBusy(false)
    }
  }
  if (made !== undefined)
    return (
      <Dialog title={typed.name} onClose={props.onClose}>
        <p>{t('people.keyOnce')}</p>
        <p class="new-key">
          <CopyText text={made}>
            <code>{made}</code>
          </CopyText>
        </p>
        <div class="row end">
          <Button kind="main" onClick={props.onClose}>
            {t('people.keyKept')}
          </Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t('people.addKey')} onClose={props.onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) void save()
        }}
      >
        <TextField label={t('name')} value={typed.name} isRequired onInput={(name) => setTyped({ ...typed, name })} />
        <SelectField
          label={t('people.role')}
          value={typed.roleId}
          choices={props.roles.map(({ id, name }) => ({ id, name }))}
          onChange={(roleId) => setTyped({ ...typed, roleId })}
        />
        <TextField
          label={t('people.expiresOn')}
          type="date"
          value={typed.expires}
          hint={t('people.expiresHelp')}
          onInput={(expires) => setTyped({ ...typed, expires })}
        />
        {error !== undefined && <ErrorBox error={error} />}
        <div class="row end">
          <Button onClick={props.onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={isBusy} closedBecause={isReady ? undefined : t('form.nameFirst')}>
            {t('people.makeKey')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
