// Gives records to a person, with a day and a note. Contract 5 §3.
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Combobox } from '../kit/combobox.tsx'
import { DialogForm } from '../kit/draft-form.tsx'
import { Field, TextField } from '../kit/field.tsx'
import { TextArea } from '../kit/text-area.tsx'
import type { Option } from '../kit/choices.ts'
import { useConsole } from '../state/context.ts'
import type { AssignPanelProps } from '../state/panel-props.ts'
import { t } from '../words/place.ts'

export function AssignDialog({ recordIds, onClose, onDone }: AssignPanelProps) {
  const { call, status } = useConsole()
  const saving = useSaving()
  const [person, setPerson] = useState<Option | null>(null)
  const [dueOn, setDueOn] = useState('')
  const [note, setNote] = useState('')
  const find = async (text: string, signal: AbortSignal) => {
    const params = { id: recordIds[0]! }
    const { body } = await call('GET /api/v1/records/:id/readers', { params, query: { text }, signal })
    return body.items.map(({ id, name, username }) => ({ id, name, detail: username }))
  }
  const assign = async () => {
    if (person === null) return
    const body = { recordIds, assigneeId: person.id, dueOn: dueOn === '' ? null : dueOn, note }
    const isDone = await saving.act(() => call('POST /api/v1/assignments', { body }))
    if (!isDone) return
    status.tell(t('talk.assignedDone', { count: recordIds.length, name: person.name }))
    onDone()
    onClose()
  }
  return (
    <DialogForm
      guide="console#working-together"
      title={t('talk.assignTitle', { count: recordIds.length })}
      action={t('talk.assign')}
      saving={saving}
      closedBecause={person === null ? t('talk.needsPerson') : undefined}
      onClose={onClose}
      onSubmit={() => void assign()}
    >
      <Field label={t('talk.person')} hint={t('hint.talk.person')} isRequired>
        {(input) => <Combobox input={input} options={find} value={person} onChange={setPerson} />}
      </Field>
      <TextField label={t('talk.due')} hint={t('hint.talk.due')} type="date" value={dueOn} onInput={setDueOn} />
      <TextArea label={t('talk.note')} hint={t('hint.talk.note')} value={note} onInput={setNote} />
    </DialogForm>
  )
}
