// Gives records to a person, with a day and a note. Contract 5 §3.
import { useState } from 'preact/hooks'
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Call, CallOptions } from '../api/call.ts'
import { useSaving } from '../kit/acting.ts'
import { Combobox } from '../kit/combobox.tsx'
import { DialogForm } from '../kit/draft-form.tsx'
import { Field, TextField } from '../kit/field.tsx'
import { TextArea } from '../kit/text-area.tsx'
import type { Option } from '../kit/choices.ts'
import { useConsole } from '../state/context.ts'
import type { AssignPanelProps } from '../state/panel-props.ts'
import { hinted, t } from '../words/place.ts'

/** The most records that one request assigns. */
const MOST = 500

export function AssignDialog({ selection, count, onClose, onDone }: AssignPanelProps) {
  const { call, status, browser, undo } = useConsole()
  const [reading] = useState(() => readIds(call, selection))
  const saving = useSaving()
  const [person, setPerson] = useState<Option | null>(null)
  const [dueOn, setDueOn] = useState('')
  const [note, setNote] = useState('')
  const today = localDay(browser.now())
  const past = dueOn !== '' && dueOn < today ? t('talk.duePast') : undefined
  const find = async (text: string, signal: AbortSignal) => {
    const [id] = await reading
    if (id === undefined) return []
    const params = { id }
    const { body } = await call('GET /api/v1/records/:id/readers', { params, query: { text }, signal })
    return body.items.map(({ id, name, username }) => ({ id, name, detail: username }))
  }
  const assign = async () => {
    if (person === null) return
    const to = { assigneeId: person.id, dueOn: dueOn === '' ? null : dueOn, note }
    const isDone = await saving.act(async () => {
      const recordIds = await reading
      let made: readonly string[] = []
      await undo.take({
        name: t('talk.assign'),
        redo: async () => {
          made = (await call('POST /api/v1/assignments', { body: { recordIds, ...to } })).body.ids
          onDone?.()
        },
        undo: async () => {
          for (const id of made)
            await call('PATCH /api/v1/assignments/:id', { params: { id }, body: { state: 'withdrawn' } })
          onDone?.()
        },
      })
      status.tell(t('talk.assignedDone', { count: recordIds.length, name: person.name }))
    })
    if (isDone) onClose()
  }
  return (
    <DialogForm
      guide="console#working-together"
      title={t('talk.assignTitle', { count })}
      action={t('talk.assign')}
      saving={saving}
      closedBecause={person === null ? t('talk.needsPerson') : past}
      onClose={onClose}
      onSubmit={() => void assign()}
    >
      <Field {...hinted('talk.person')} isRequired>
        {(input) => <Combobox input={input} options={find} value={person} onChange={setPerson} />}
      </Field>
      <TextField
        {...hinted('talk.due')}
        type="date"
        checks={{ min: today }}
        error={past}
        value={dueOn}
        onInput={setDueOn}
      />
      <TextArea {...hinted('talk.note')} value={note} onInput={setNote} />
    </DialogForm>
  )
}

/** `YYYY-MM-DD` by the clock of the user. */
function localDay(now: number): string {
  const date = new Date(now)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

function readIds(call: Call, selection: BulkSelection): Promise<readonly string[]> {
  const read = async (): Promise<readonly string[]> => {
    if ('ids' in selection) return selection.ids
    const except = new Set(selection.except)
    const body = { ...selection.query, select: [], limit: MOST + except.size, total: false } as unknown as SearchBody
    const { body: found } = await call('POST /api/v1/search', { body })
    return found.map(({ id }) => id).filter((id) => !except.has(id))
  }
  const reading = read()
  // The list of people and the button show the failure.
  reading.catch(() => undefined)
  return reading
}
