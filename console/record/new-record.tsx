// The form of a new record: only the label is required. Journey 1 begins here.
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import { TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { readValue } from '../fields/fields.ts'
import { useLocale } from '../fields/use-locale.ts'
import type { CallOptions } from '../api/call.ts'
import type { SeenSchema } from '../state/model.ts'
import { useConsole } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import type { NewRecordPanelProps } from '../state/panel-props.ts'
import { restrictScope } from '../../src/core/scopes/scope.ts'
import { t } from '../words/place.ts'
import { stepOfMaking } from './record-steps.ts'

type RecordBody = NonNullable<CallOptions<'POST /api/v1/records'>['body']>

/** Returns the label attribute of a record: the attribute that the schema names, or else the first text. */
function labelAttributeOf({ attributes, labelAttribute }: SeenSchema, access: (alias: string) => string) {
  const open = attributes.filter(({ alias }) => access(alias) === 'write')
  return open.find(({ alias }) => alias === labelAttribute) ?? open.find(({ dataType }) => dataType === 'text')
}

export function NewRecordForm({ schemaId, onMade }: NewRecordPanelProps) {
  const console = useConsole()
  const { model, call, status, offline, undo, scope: bar } = console
  const locale = useLocale()
  const schema = model.schema(schemaId)!
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const { isBusy, error, act } = useSaving()
  const label = labelAttributeOf(schema, (alias) => model.access(schemaId, alias))
  const scope = label === undefined ? {} : restrictScope(bar.current.value, label.dimensionIds)
  const create = async (): Promise<void> => {
    const reading = label === undefined ? { value: null } : readValue(text, label, locale)
    if (reading.code !== undefined) return setProblem(reading.problem)
    setProblem(undefined)
    const values =
      label === undefined || reading.value === null ? {} : { [label.alias]: [{ scope, value: reading.value }] }
    const body = { schemaId: schema.id, values } as unknown as RecordBody
    await act(async () => {
      const { body: made } = await offline.write(() => call('POST /api/v1/records', { body, idempotencyKey: newKey() }))
      const name = text.trim() || made.id
      undo.push(stepOfMaking(console, made.id, name, () => undefined))
      status.tell(t('records.created', { name }))
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
