// Saves the meaning of the columns as a profile (I3): a new profile, or a new version of the chosen one. Contract 3 §4.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { TextField } from '../kit/field.tsx'
import { DialogForm } from '../kit/draft-form.tsx'
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
  const acting = useActing()
  const chosen = profiles.find(({ id }) => id === draft.profileId)
  const [name, setName] = useState(chosen?.name ?? '')
  // A profile with the same name is replaced.
  const replaced = profiles.find((profile) => profile.name === name.trim())
  const keep = async () => {
    const body = { ...profileOf(draft, columns), name: name.trim() }
    const isDone = await acting.act(async () => {
      const kept =
        replaced === undefined
          ? await call('POST /api/v1/import-profiles', { body })
          : await call('PUT /api/v1/import-profiles/:id', { params: { id: replaced.id }, body })
      status.tell(t('imports.profileKept', { name: kept.body.name }))
      onKept(kept.body.id)
    })
    if (isDone) onClose()
  }
  return (
    <DialogForm
      guide="console#imports"
      title={t('imports.keepProfile')}
      help={t('imports.profileHelp')}
      action={replaced === undefined ? t('save') : t('imports.replaceProfile')}
      saving={acting}
      closedBecause={name.trim() === '' ? t('form.nameFirst') : undefined}
      onSubmit={keep}
      onClose={onClose}
    >
      <TextField label={t('name')} value={name} isRequired hasFocus onInput={setName} />
    </DialogForm>
  )
}
