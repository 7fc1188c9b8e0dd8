// The columns of the file: header, source, scope, and replacement values. Dragging, or Alt with arrows, changes their
// order. Contract 3 §5.
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { Button } from '../kit/button.tsx'
import { Checkbox } from '../kit/field.tsx'
import { useDragging } from '../kit/dragging.ts'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { ColumnFields } from './column-fields.tsx'
import { readable, sourcesOf } from './column-sources.ts'
import { allColumns, doubledHeaders, type FeedColumn, movedTo, type NamedSource } from './feed-columns.ts'
import type { JobBody, PartProps } from './job-draft.ts'

export function ColumnsField({ draft, put, body }: PartProps & { readonly body: JobBody }) {
  const { model } = useConsole()
  const attributes = readable(model, draft.schemaId)
  const columns = draft.columns
  return (
    <section class="feed-columns-part">
      <h2>{t('form.columns')}</h2>
      <Checkbox
        {...hinted('exports.ownColumns')}
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
