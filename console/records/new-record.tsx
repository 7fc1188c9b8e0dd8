// A new record: only its label is required. Journey 1 begins here.
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import { TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { readValue } from '../fields/fields.ts'
import type { Locale } from '../fields/field.ts'
import type { CallOptions } from '../api/call.ts'
import type { SeenSchema } from '../state/model.ts'
import { useConsole } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import { restrictScope } from '../../src/core/scopes/scope.ts'
import { t } from '../words/place.ts'
import { PopoverButton } from '../filters/popover.tsx'
import type { RecordsState } from './records-state.ts'

type RecordBody = NonNullable<CallOptions<'POST /api/v1/records'>['body']>

interface NewRecordProps {
  readonly records: RecordsState
  readonly locale: Locale
  readonly onMade: (recordId: string) => void
}

export function NewRecord({ records, locale, onMade }: NewRecordProps) {
  const { model, router } = useConsole()
  const schema = records.schema.value
  if (schema === undefined || !model.may('records.create')) return null
  return (
    <PopoverButton
      label={t('records.new')}
      icon="add"
      kind="main"
      open={{
        isOpen: router.query.value['new'] !== undefined,
        onOpen: (isOpen) => router.setQuery({ new: isOpen ? '1' : undefined }),
      }}
    >
      {(close) => (
        <NewRecordForm
          records={records}
          schema={schema}
          locale={locale}
          onMade={(id) => {
            close()
            onMade(id)
          }}
        />
      )}
    </PopoverButton>
  )
}

/** The label attribute of a record: the attribute that the schema names, else the first text. */
function labelOf({ attributes, labelAttribute }: SeenSchema, access: RecordsState['access']) {
  const open = attributes.filter(({ alias }) => access(alias) === 'write')
  return open.find(({ alias }) => alias === labelAttribute) ?? open.find(({ dataType }) => dataType === 'text')
}

function NewRecordForm({ records, schema, locale, onMade }: NewRecordProps & { readonly schema: SeenSchema }) {
  const { model, call, status, offline } = useConsole()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const { isBusy, error, act } = useSaving()
  const label = labelOf(schema, (alias) => records.access(alias))
  const scope = label === undefined ? {} : restrictScope(records.scope.value, label.dimensionIds)
  const create = async (): Promise<void> => {
    const reading = label === undefined ? { value: null } : readValue(text, label, locale)
    if (reading.code !== undefined) return setProblem(reading.problem)
    setProblem(undefined)
    const values =
      label === undefined || reading.value === null ? {} : { [label.alias]: [{ scope, value: reading.value }] }
    const body = { schemaId: schema.id, values } as unknown as RecordBody
    await act(async () => {
      const { body: made } = await offline.write(() => call('POST /api/v1/records', { body, idempotencyKey: newKey() }))
      status.tell(t('records.created', { name: text.trim() || made.id }))
      records.made.add(made.id)
      records.renew()
      onMade(made.id)
    })
  }
  return (
    <Form class="stack" onSubmit={create}>
      {label !== undefined && (
        <TextField
          label={model.nameOf(label)}
          hint={t('records.newHelp', { scope: model.scopeName(scope) || t('form.allScopes') })}
          value={text}
          onInput={setText}
          error={problem ?? (error && sayFailure(error))}
        />
      )}
      <Button kind="main" type="submit" isBusy={isBusy}>
        {t('records.new')}
      </Button>
    </Form>
  )
}
