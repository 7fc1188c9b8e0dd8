// The fields of one column of a file. Contract 3 §5.
import { useState } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { PairsField } from '../fields/pairs-field.tsx'
import { ScopeFields } from '../fields/scope-fields.tsx'
import { Button } from '../kit/button.tsx'
import { Combobox } from '../kit/combobox.tsx'
import { TextField } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { dimensionsOf } from './column-sources.ts'
import { type FeedColumn, type NamedSource, sourceOf, withSource } from './feed-columns.ts'
import type { JobBody } from './job-draft.ts'
import { LinkedFields } from './linked-fields.tsx'
import { TemplateField } from './template-field.tsx'

export function ColumnFields(props: {
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
  const { header, constant, template, map, scope } = column
  const source = sourceOf(column)
  const chosen = sources.find(({ id }) => id === source) ?? { id: source, name: source }
  const { model } = useConsole()
  const dimensionIds = dimensionsOf(model, attributes, column)
  const pairs = typeof map === 'object' ? map : {}
  const mapped = Object.keys(pairs).length
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
        {constant === undefined && typeof map !== 'string' && (
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
          pairs={pairs}
          onChange={(next) => {
            const { map: _before, ...rest } = column
            onChange(Object.keys(next).length === 0 ? rest : { ...rest, map: next })
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
