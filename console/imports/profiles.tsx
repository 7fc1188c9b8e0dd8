// Saves the meaning of the columns as a profile (I3): a new profile, or a new version of the chosen one. Contract 3 §4.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { type FileColumn, type MappingDraft, type Profile, profileOf } from './mapping.ts'

export function KeepProfile(props: {
  readonly draft: MappingDraft
  readonly columns: readonly FileColumn[]
  readonly profiles: readonly Profile[]
  readonly onKept: (profileId: string) => void
  readonly onClose: () => void
}) {
  const { draft, columns, profiles, onKept, onClose } = props
  const { call, status } = useConsole()
  const { isBusy, act } = useActing()
  const chosen = profiles.find(({ id }) => id === draft.profileId)
  const [name, setName] = useState(chosen?.name ?? '')
  // A profile with the same name is replaced.
  const replaced = profiles.find((profile) => profile.name === name.trim())
  const keep = async () => {
    const body = { ...profileOf(draft, columns), name: name.trim() }
    const isDone = await act(async () => {
      const kept =
        replaced === undefined
          ? await call('POST /api/v1/import-profiles', { body })
          : await call('PUT /api/v1/import-profiles/:id', { params: { id: replaced.id }, body })
      status.tell(t('imports.profileKept', { name: kept.body.name }))
      onKept(kept.body.id)
    })
    if (isDone) onClose()
  }
  const isReady = name.trim() !== ''
  return (
    <Dialog title={t('imports.keepProfile')} onClose={onClose}>
      <p class="quiet">{t('imports.profileHelp')}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) void keep()
        }}
      >
        <TextField label={t('name')} value={name} isRequired hasFocus onInput={setName} />
        <div class="row end">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={isBusy} closedBecause={isReady ? undefined : t('form.nameFirst')}>
            {replaced === undefined ? t('save') : t('imports.replaceProfile')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
