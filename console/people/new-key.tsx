// A new API key: its form, then the key itself, shown only once.
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { CopyText } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { DialogForm } from '../kit/draft-form.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'

interface NewKeyProps {
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly onDone: () => void
  readonly onClose: () => void
}

export function NewKeyDialog({ roles, onDone, onClose }: NewKeyProps) {
  const { call } = useConsole()
  const saving = useSaving()
  const [typed, setTyped] = useState({ name: '', roleId: 'role-viewer', expires: '' })
  const [made, setMade] = useState<string | undefined>(undefined)
  const save = async () => {
    const { name, roleId, expires } = typed
    const expiresAt = expires === '' ? {} : { expiresAt: new Date(`${expires}T23:59:59.999`).toISOString() }
    setMade((await call('POST /api/v1/api-keys', { body: { name, roleId, ...expiresAt } })).body.key)
    onDone()
  }
  if (made !== undefined) return <MadeKey name={typed.name} made={made} onClose={onClose} />
  return (
    <DialogForm
      guide="console#api-keys"
      title={t('people.addKey')}
      action={t('people.makeKey')}
      saving={saving}
      closedBecause={typed.name.trim() === '' ? t('form.nameFirst') : undefined}
      onSubmit={() => saving.act(save)}
      onClose={onClose}
    >
      <TextField label={t('name')} value={typed.name} isRequired onInput={(name) => setTyped({ ...typed, name })} />
      <SelectField
        {...hinted('people.role', 'hint.people.keyRole')}
        value={typed.roleId}
        choices={roles.map(({ id, name }) => ({ id, name }))}
        onChange={(roleId) => setTyped({ ...typed, roleId })}
      />
      <TextField
        label={t('people.expiresOn')}
        type="date"
        value={typed.expires}
        hint={t('people.expiresHelp')}
        onInput={(expires) => setTyped({ ...typed, expires })}
      />
    </DialogForm>
  )
}

function MadeKey(props: { readonly name: string; readonly made: string; readonly onClose: () => void }) {
  return (
    <Dialog title={props.name} onClose={props.onClose}>
      <p>{t('people.keyOnce')}</p>
      <p class="new-key">
        <CopyText text={props.made}>
          <code>{props.made}</code>
        </CopyText>
      </p>
      <div class="row end">
        <Button kind="main" onClick={props.onClose}>
          {t('people.keyKept')}
        </Button>
      </div>
    </Dialog>
  )
}
