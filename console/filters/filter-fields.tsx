// The parts of filters: bounds, texts, and values with their record counts.
import { useState } from 'preact/hooks'
import { Checkbox, TextField } from '../kit/field.tsx'
import { LoadingLine } from '../kit/states.tsx'
import type { CallOptions } from '../api/call.ts'
import { useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { type RecordsQuery, toSelection } from './query.ts'
import type { FilterHost } from './filter-host.ts'

type FacetBody = NonNullable<CallOptions<'POST /api/v1/search/facets'>['body']>

/** Two text fields whose values apply on blur or Enter. */
export function Bounds({
  from,
  to,
  onChange,
  unit = '',
}: {
  readonly from: string
  readonly to: string
  readonly onChange: (from: string, to: string) => void
  readonly unit?: string
}) {
  return (
    <div class="row">
      <Typed label={`${t('records.filterFrom')} ${unit}`} value={from} onChange={(text) => onChange(text, to)} />
      <Typed label={`${t('records.filterTo')} ${unit}`} value={to} onChange={(text) => onChange(from, text)} />
    </div>
  )
}

export function Typed({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const [text, setText] = useState(value)
  const done = (): void => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <form
      class="grow"
      onFocusOut={done}
      onSubmit={(event) => {
        event.preventDefault()
        done()
      }}
    >
      <TextField label={label} value={text} onInput={setText} />
    </form>
  )
}

interface CheckListProps {
  readonly choices: readonly { readonly id: string; readonly name: string; readonly count?: number | undefined }[]
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

export function CheckList({ choices, chosen, onChange }: CheckListProps) {
  return (
    <div class="chooser-list">
      {choices.map(({ id, name, count }) => (
        <Checkbox
          key={id}
          label={
            <span class="facet">
              <span dir="auto">{name}</span>
              {count !== undefined && <span class="quiet">{count.toLocaleString()}</span>}
            </span>
          }
          isChecked={chosen.includes(id)}
          onChange={(isIn) => onChange(isIn ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </div>
  )
}

interface FacetListProps extends Omit<CheckListProps, 'choices'> {
  readonly records: FilterHost
  readonly facet: FacetBody['facets'][number]
  /** The query without this filter: its records supply the choices. */
  readonly without: RecordsQuery
  readonly nameOf: (value: string) => string
  /** The label of the choice "no value". */
  readonly missing: string | undefined
}

const MOST = 100

export function FacetList({ records, facet, without, nameOf, missing, chosen, onChange }: FacetListProps) {
  const body = { ...toSelection(without, records.scope.value), facets: [facet], limit: MOST } as unknown as FacetBody
  const key = `facets ${JSON.stringify(body)}`
  const counted = useRead(key, 'POST /api/v1/search/facets', { body })
  const found = counted.data.value?.facets[0]
  const values = found?.values ?? []
  const others = chosen.filter((id) => id !== missing && !values.some(({ value }) => value === id))
  const choices = [
    ...values.map(({ value, count }) => ({ id: value, name: nameOf(value), count })),
    ...others.map((id) => ({ id, name: nameOf(id) })),
    ...(missing === undefined || found === undefined
      ? []
      : [{ id: missing, name: t('noValue'), count: found.missing }]),
  ]
  return (
    <>
      <LoadingLine isBusy={counted.isBusy.value} />
      <CheckList choices={choices} chosen={chosen} onChange={onChange} />
    </>
  )
}
