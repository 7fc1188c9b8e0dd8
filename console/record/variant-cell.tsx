// One cell of the table of variants: leaving the field saves, Delete returns to the parent's value. V1.
import { useId, useState } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Values } from '../../src/core/records/rules/record.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import { storedValue } from '../grid/cell-value.ts'
import { fieldOf, readValue, writeValue } from '../fields/fields.ts'
import { optionName } from '../fields/options.ts'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { FieldChange } from './changes.ts'
import { scopeInBar, useRecord } from './use-record.ts'
import { giveBack, variantCell } from './variant-table.ts'

interface VariantCellProps {
  readonly record: { readonly id: string; readonly parentId: string | null; readonly values: Values }
  readonly parent: Values
  readonly attribute: Attribute
  readonly onWrite: (change: FieldChange) => Promise<boolean>
}

export function VariantCell(props: VariantCellProps) {
  const { record, parent, attribute } = props
  const { model, scope: bar } = useConsole()
  const { locale, schema, mayWrite } = useRecord()
  const cell = variantCell(record.values, parent, attribute, bar.current.value)
  const shown = writeValue(cell.value, attribute, locale)
  const isBorrowed = cell.origin === 'parent' || cell.origin === 'wider'
  if (mayWrite && model.access(schema.id, attribute.alias) === 'write')
    return <OpenCell {...props} cell={cell} shown={shown} isBorrowed={isBorrowed} />
  return (
    <td class={isBorrowed ? 'borrowed' : undefined} dir="auto">
      {isBorrowed && <Icon name="hook" />}
      {shown}
    </td>
  )
}

interface OpenCellProps extends VariantCellProps {
  readonly cell: ReturnType<typeof variantCell>
  readonly shown: string
  readonly isBorrowed: boolean
}

function OpenCell(props: OpenCellProps) {
  const { record, attribute, shown } = props
  const { model } = useConsole()
  const { locale } = useRecord()
  const { text, setText, problem, commit, onKeyDown } = useTyping(props)
  const id = useId()
  const isBorrowed = props.isBorrowed && text === undefined
  const row = record.parentId === null ? t('record.parent') : record.id
  const hasList = fieldOf(attribute).editor === 'choice' && attribute.options.length > 0
  return (
    <td class={isBorrowed ? 'borrowed' : undefined}>
      <span class="variant-cell">
        {isBorrowed && <Icon name="hook" />}
        <input
          type="text"
          dir="auto"
          autocomplete="off"
          aria-label={`${row}, ${model.nameOf(attribute)}`}
          aria-invalid={problem === undefined ? undefined : 'true'}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          list={hasList ? `${id}-list` : undefined}
          value={text ?? shown}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={onKeyDown}
        />
        {hasList && (
          <datalist id={`${id}-list`}>
            {attribute.options.slice(0, 200).map((option) => (
              <option key={option.id}>{optionName(option.id, attribute, locale)}</option>
            ))}
          </datalist>
        )}
      </span>
      {problem !== undefined && (
        <span class="fault" id={`${id}-problem`}>
          {t('record.problem', { problem })}
        </span>
      )}
    </td>
  )
}

/** The typed text, until it is saved or discarded. */
function useTyping({ record, attribute, onWrite, cell, shown }: OpenCellProps) {
  const { scope: bar } = useConsole()
  const { locale } = useRecord()
  const [text, setText] = useState<string | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const write = async (change: FieldChange): Promise<void> => {
    if (await onWrite(change)) setText(undefined)
  }
  const commit = (): void => {
    if (text === undefined || text === shown) return setText(undefined)
    const reading = readValue(text, attribute, locale, cell.value)
    if (reading.code !== undefined) return setProblem(reading.problem)
    setProblem(undefined)
    const scope = scopeInBar(bar.current.value, attribute)
    const before = storedValue(record.values, attribute.alias, scope) ?? null
    if (isSameValue(reading.value, before)) return setText(undefined)
    void write({ alias: attribute.alias, scope, value: reading.value, before })
  }
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void => {
    const field = event.currentTarget
    // Only for an unchanged text that the key would delete as a whole, or not at all.
    const isWhole =
      field.selectionEnd === field.value.length && [0, field.value.length].includes(field.selectionStart ?? 0)
    if (event.isComposing) return
    if (event.key === 'Enter') {
      commit()
      field.select()
    } else if (event.key === 'Escape' && text !== undefined) {
      setText(undefined)
      setProblem(undefined)
      event.stopPropagation()
    } else if (event.key === 'Delete' && isWhole && text === undefined) {
      const back = giveBack(record.values, cell, attribute.alias)
      if (back !== undefined) void write(back)
    } else return
    event.preventDefault()
  }
  return { text, setText, problem, commit, onKeyDown }
}
