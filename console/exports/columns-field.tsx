// The columns of the file: header, source, scope, and replacement values. Dragging, or Alt with arrows, changes their
// order. Contract 3 §5.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import { PairsField } from '../fields/pairs-field.tsx'
import { ScopeFields } from '../fields/scope-fields.tsx'
import { Button } from '../kit/button.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { Combobox } from '../kit/combobox.tsx'
import { useDragging } from '../kit/dragging.ts'
import { Icon } from '../kit/icon.tsx'
import type { ModelState } from '../state/model.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import {
  allColumns,
  doubledHeaders,
  FEED_FIELDS,
  type FeedColumn,
  movedTo,
  type NamedSource,
  sourceOf,
  withSource,
} from './feed-columns.ts'
import type { JobBody, PartProps } from './job-draft.ts'
import { LinkedFields } from './linked-fields.tsx'
import { TemplateField } from './template-field.tsx'

export function ColumnsField({ draft, put, body }: PartProps & { readonly body: JobBody }) {
  const { model } = useConsole()
  const attributes = readable(model, draft.schemaId)
  const columns = draft.columns
  return (
    <section class="feed-columns-part">
      <h2>{t('form.columns')}</h2>
      <Checkbox
        label={t('exports.ownColumns')}
        isChecked={columns !== null}
        onChange={(isOn) => put({ columns: isOn ? allColumns(attributes, (one) => model.nameOf(one)) : null })}
      />
      {columns !== null && (
        <ColumnList
          columns={columns}
          attributes={attributes}
          sources={sourcesOf(model, attributes)}
          body={body}
          onChange={(next) => put({ columns: [...next] })}
        />
      )}
    </section>
  )
}

/** The attributes of the schema, or of all schemas: each alias once. */
function readable(model: ModelState, schemaId: string | null): readonly Attribute[] {
  const schemas = model.schemas.value.filter(({ id }) => schemaId === null || id === schemaId)
  const all = schemas.flatMap(({ id, attributes }) =>
    attributes.filter(({ alias }) => model.access(id, alias) !== 'none').map((one) => [one.alias, one] as const),
  )
  return [...new Map(all.toReversed()).values()].toReversed()
}

function sourcesOf(model: ModelState, attributes: readonly Attribute[]): NamedSource[] {
  return [
    ...attributes.flatMap((attribute) => sourcesOfAttribute(model, attribute)),
    ...attributes.flatMap((attribute) => linkedSources(model, attribute)),
    ...FEED_FIELDS.map((field) => ({ id: `.${field}`, name: field })),
    ...(model.workspace.value?.catalogs ?? []).map(({ id, name }) => ({
      id: `/${id}`,
      name: t('exports.pathIn', { catalog: name }),
    })),
    { id: '{}', name: t('exports.composed') },
    { id: '#', name: t('exports.constant') },
  ]
}

function sourcesOfAttribute(model: ModelState, attribute: Attribute): NamedSource[] {
  const name = model.nameOf(attribute)
  const { unitField: unit, files } = dataTypeOf(attribute)
  const whole = { id: attribute.alias, name, detail: attribute.alias }
  const ofFile = files === undefined ? [] : [{ id: `${attribute.alias}#url`, name: t('exports.addressOf', { name }) }]
  return unit === undefined
    ? [whole, ...ofFile]
    : [whole, { id: `${attribute.alias}#${unit}`, name: `${name} ${unit}` }]
}

/** Attributes of the records that an attribute names. */
function linkedSources(model: ModelState, attribute: Attribute): NamedSource[] {
  return linkedAttributes(model, attribute)
    .flatMap((linked) => sourcesOfAttribute(model, linked))
    .map((source) => ({
      id: `${attribute.alias}>${source.id}`,
      name: `${model.nameOf(attribute)} › ${source.name}`,
    }))
}

function linkedAttributes(model: ModelState, { validation: { schemaId } }: Attribute): readonly Attribute[] {
  return schemaId === undefined ? [] : readable(model, schemaId)
}

interface ListProps {
  readonly columns: readonly FeedColumn[]
  readonly attributes: readonly Attribute[]
  readonly sources: readonly NamedSource[]
  /** The job that is being edited. */
  readonly body: JobBody
  readonly onChange: (columns: readonly FeedColumn[]) => void
}

function ColumnList({ columns, attributes, sources, body, onChange }: ListProps) {
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<number | undefined>(undefined)
  const doubled = doubledHeaders(columns)
  // After a row moves, the handle that moved it keeps the focus.
  useLayoutEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelectorAll<HTMLElement>('.drag')[moved.current]?.focus()
    moved.current = undefined
  }, [columns])
  const move = (from: number, to: number) => {
    const next = movedTo(columns, from, to)
    if (next === columns) return
    moved.current = to
    onChange(next)
  }
  const dragging = useDragging<number>(move)
  return (
    <>
      <ol ref={list} class="feed-columns">
        {columns.map((column, index) => (
          <li key={index} class={dragging.over === index ? 'drop' : undefined} {...dragging.target(index)}>
            <button
              type="button"
              class="drag"
              {...dragging.handle(index, column.header)}
              aria-label={t('exports.moveColumn', { name: column.header })}
              title={t('exports.moveHelp')}
              onKeyDown={(event) => {
                const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
                if (by === undefined || !event.altKey) return
                event.preventDefault()
                move(index, index + by)
              }}
            >
              <Icon name="drag" />
            </button>
            <ColumnFields
              column={column}
              attributes={attributes}
              sources={sources}
              body={body}
              isDoubled={doubled.has(column.header)}
              onChange={(next) => onChange(columns.with(index, next))}
              onRemove={() => onChange(columns.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <div class="row">
        <Button icon="add" onClick={() => onChange([...columns, { header: '', constant: '' }])}>
          {t('exports.addColumn')}
        </Button>
      </div>
    </>
  )
}

function ColumnFields(props: {
  readonly column: FeedColumn
  readonly attributes: readonly Attribute[]
  readonly sources: readonly NamedSource[]
  readonly body: JobBody
  readonly isDoubled: boolean
  readonly onChange: (column: FeedColumn) => void
  readonly onRemove: () => void
}) {
  const { column, attributes, sources, body, isDoubled, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const { header, attributeAlias, via, constant, template, map, scope } = column
  const source = sourceOf(column)
  const chosen = sources.find(({ id }) => id === source) ?? { id: source, name: source }
  const { model } = useConsole()
  const attribute = attributes.find(({ alias }) => alias === attributeAlias)
  const linked = attribute && via !== undefined ? linkedAttributes(model, attribute) : []
  const read = [attribute, linked.find(({ alias }) => alias === via)]
  const dimensionIds = [...new Set(read.flatMap((one) => one?.dimensionIds ?? []))]
  const mapped = Object.keys(map ?? {}).length
  const wrong = header === '' ? t('form.nameFirst') : isDoubled ? t('form.taken') : undefined
  return (
    <>
      <TextField
        label={t('exports.header')}
        value={header}
        error={wrong}
        onInput={(text) => onChange({ ...column, header: text })}
      />
      <div class="field">
        <span class="quiet">{t('exports.shows')}</span>
        <Combobox
          label={t('exports.showsIn', { name: header })}
          options={sources}
          value={chosen}
          onChange={(option) => option !== null && onChange(withSource(column, option.id, [chosen.name, option.name]))}
        />
      </div>
      <div class="feed-more">
        {constant !== undefined && (
          <input
            aria-label={t('exports.constantIn', { name: header })}
            dir="auto"
            value={constant}
            onInput={(event) => onChange({ ...column, constant: event.currentTarget.value })}
          />
        )}
        <LinkedFields column={column} onChange={onChange} />
        {body.format === 'xml' && body.xml && <ElementField column={column} onChange={onChange} />}
        <ScopeFields
          label={header}
          scope={scope ?? {}}
          dimensionIds={dimensionIds}
          onChange={(next) => {
            const { scope: _before, ...rest } = column
            onChange(Object.keys(next).length === 0 ? rest : { ...rest, scope: next })
          }}
        />
        {constant === undefined && (
          <Button kind="quiet" icon="edit" isPressed={isOpen} onClick={() => setOpen(!isOpen)}>
            {mapped === 0 ? t('exports.noMap') : t('exports.mapped', { count: mapped })}
          </Button>
        )}
      </div>
      <Button kind="quiet" icon="delete" label={t('remove', { name: header })} onClick={props.onRemove} />
      {template !== undefined && (
        <TemplateField column={column} body={body} onChange={(text) => onChange({ ...column, template: text })} />
      )}
      {isOpen && (
        <PairsField
          label={t('exports.mapOf', { name: header })}
          pairs={map ?? {}}
          onChange={(pairs) => {
            const { map: _before, ...rest } = column
            onChange(Object.keys(pairs).length === 0 ? rest : { ...rest, map: pairs })
          }}
        />
      )}
    </>
  )
}

/** The element in an xml document; empty: the header. */
function ElementField({
  column,
  onChange,
}: {
  readonly column: FeedColumn
  readonly onChange: (to: FeedColumn) => void
}) {
  const { element, ...rest } = column
  return (
    <input
      aria-label={t('exports.elementIn', { name: column.header })}
      placeholder={column.header}
      value={element ?? ''}
      onInput={({ currentTarget: { value } }) => onChange(value === '' ? rest : { ...rest, element: value })}
    />
  )
}
