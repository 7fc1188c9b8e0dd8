// A row for each column of the file: samples, target, scope, and the steps that prepare its cells.
import { useRef, useState } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { ScopeFields } from '../fields/scope-fields.tsx'
import { Button } from '../kit/button.tsx'
import type { Option } from '../kit/choices.ts'
import { Combobox } from '../kit/combobox.tsx'
import { Icon } from '../kit/icon.tsx'
import type { ModelState } from '../state/model.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import {
  type ColumnDraft,
  doubled,
  type FileColumn,
  LEFT_OUT,
  stepsFor,
  stepsForField,
  type Target,
  targetFor,
  withColumn,
} from './mapping.ts'
import type { PartProps } from './rule-fields.tsx'
import { stepText } from './step-field.tsx'
import { MakingField } from './making-field.tsx'
import { StepFields } from './step-fields.tsx'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'

const FIELDS = ['id', 'parentId', 'schemaId', 'categories'] as const
/** The number of samples beside a header. */
const SHOWN = 3

/** @param onMake makes an attribute for the column; undefined: the role may not make one */
export function ColumnRows({ draft, put, found, onMake }: PartProps & Pick<RowProps, 'onMake'>) {
  const { model } = useConsole()
  const options = targetOptions(model, draft.schemaId)
  const wrong = doubled(draft)
  const headers = found.columns.map(({ header }) => header)
  const change = (index: number, column: ColumnDraft) => put({ columns: withColumn(draft.columns, index, column) })
  return (
    <ul>
      {found.columns.map((column, index) => (
        <ColumnRow
          key={column.index}
          column={column}
          headers={headers}
          draft={draft.columns[index] ?? LEFT_OUT}
          schemaId={draft.schemaId}
          options={options}
          isDoubled={wrong.has(index)}
          onChange={(next) => change(index, next)}
          onMake={onMake}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly column: FileColumn
  readonly headers: readonly string[]
  readonly draft: ColumnDraft
  readonly schemaId: string
  readonly options: readonly Option[]
  readonly isDoubled: boolean
  readonly onChange: (draft: ColumnDraft) => void
  readonly onMake: ((index: number) => void) | undefined
}

function ColumnRow(props: RowProps) {
  const { column, headers, draft, schemaId, options, isDoubled, onChange, onMake } = props
  const { model, scope } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const { header, samples } = column
  const { to, steps } = draft
  const attributes = model.schema(schemaId)?.attributes ?? []
  const attribute = attributeOf(to, attributes)
  const choose = (id: string) => {
    if (id === '') return onChange(LEFT_OUT)
    const field = id.slice(1) as 'id'
    if (id.startsWith('.')) return onChange({ to: { field }, steps: stepsForField(field, samples) })
    const [alias, part] = id.split('#') as [string, 'unit' | 'currency' | undefined]
    const chosen = attributes.find((one) => one.alias === alias)
    if (chosen === undefined) return undefined
    const next = targetFor(chosen, part, scope.current.peek())
    return onChange({ to: next, steps: part === undefined ? stepsFor(chosen, samples) : [] })
  }
  const make = () => {
    // The button disappears, and the focus stays in the row.
    row.current?.querySelector('input')?.focus()
    onMake?.(column.index)
  }
  const chosen = idOf(to)
  return (
    <li ref={row} class={to === null ? 'map-row left-out' : 'map-row'}>
      <div class="map-file">
        <strong dir="auto">{header}</strong>
        <span class="samples quiet" dir="auto">
          {samples.slice(0, SHOWN).join(' · ')}
        </span>
      </div>
      <div class="map-to">
        <Combobox
          label={t('imports.targetOf', { header })}
          options={options}
          value={options.find(({ id }) => id === chosen) ?? options[0]!}
          onChange={(option) => choose(option?.id ?? '')}
        />
        {attribute !== undefined && to !== null && 'attributeAlias' in to && (
          <ScopeFields
            label={header}
            scope={to.scope ?? {}}
            dimensionIds={attribute.dimensionIds}
            onChange={(next) => onChange({ ...draft, to: targetFor(attribute, partOf(to), next) })}
          />
        )}
        <MakingField draft={draft} attribute={attribute} onChange={(making) => onChange({ ...draft, making })} />
        {isDoubled && (
          <span class="fault">
            <Icon name="bad" />
            {t('imports.doubled')}
          </span>
        )}
      </div>
      <div class="map-more">
        <Confidence column={column} to={to} />
        {to === null && onMake !== undefined && (
          <Button kind="quiet" icon="add" onClick={make}>
            {t('imports.makeAttribute')}
          </Button>
        )}
        {to !== null && (
          <Button kind="quiet" icon="edit" isPressed={isOpen} onClick={() => setOpen(!isOpen)}>
            {steps.length === 0 ? t('imports.steps.none') : steps.map(stepText).join(', ')}
          </Button>
        )}
      </div>
      {isOpen && to !== null && (
        <StepFields
          header={header}
          headers={headers}
          steps={steps}
          onChange={(next) => onChange({ ...draft, steps: next })}
        />
      )}
    </li>
  )
}

/** The confidence of the suggestion, while the suggestion is still the chosen target. */
function Confidence({ column, to }: { readonly column: FileColumn; readonly to: Target | null }) {
  const { suggestion, confidence } = column
  if (to === null || suggestion === null || JSON.stringify(suggestion) !== JSON.stringify(to)) return null
  const isSure = confidence === 'high'
  return (
    <span class={`sign ${isSure ? 'good' : 'wait'}`} title={isSure ? undefined : t('imports.guessHelp')}>
      <Icon name={isSure ? 'good' : 'wait'} />
      {isSure ? t('imports.sure') : t('imports.guess')}
    </span>
  )
}

/** The targets that the role may write. */
function targetOptions(model: ModelState, schemaId: string): Option[] {
  const fields = FIELDS.filter((field) => field !== 'categories' || model.may('categories.write'))
  const attributes = (model.schema(schemaId)?.attributes ?? []).filter(
    ({ alias }) => model.access(schemaId, alias) === 'write',
  )
  return [
    { id: '', name: t('imports.isLeftOut') },
    ...attributes.flatMap((attribute) => {
      const [name, part] = [model.nameOf(attribute), dataTypeOf(attribute).unitField]
      const whole = { id: attribute.alias, name, detail: attribute.alias }
      if (part === undefined) return [whole]
      return [whole, { id: `${attribute.alias}#${part}`, name: t(`imports.part.${part}`, { name }) }]
    }),
    ...fields.map((field) => ({ id: `.${field}`, name: t(`imports.field.${field}`) })),
  ]
}

function attributeOf(to: Target | null, attributes: readonly Attribute[]): Attribute | undefined {
  return to === null || 'field' in to ? undefined : attributes.find(({ alias }) => alias === to.attributeAlias)
}

function idOf(to: Target | null): string {
  if (to === null) return ''
  if ('field' in to) return `.${to.field}`
  const part = partOf(to)
  return part === undefined ? to.attributeAlias : `${to.attributeAlias}#${part}`
}

function partOf(to: Extract<Target, { attributeAlias: string }>): 'unit' | 'currency' | undefined {
  return to.part === 'amount' ? undefined : to.part
}
