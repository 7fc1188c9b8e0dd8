// A record and its variants. Pale values belong to the parent; typing makes an own value, Delete removes it. V1 to V3.
import { useLayoutEffect, useState } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import type { Call } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'
import { labelOf } from '../state/labels.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { FieldChange } from './changes.ts'
import { Meter } from './record-side.tsx'
import { patchRecord, stepOf } from './record-saver.ts'
import { stepOfMaking } from './record-steps.ts'
import { useRecord, useRecordQuery } from './use-record.ts'
import { VariantCell } from './variant-cell.tsx'
import { newKey } from '../state/new-key.ts'
import { variantColumns } from './variant-table.ts'

type Found = Endpoints['POST /api/v1/search']['reply'][number]

interface Family {
  readonly parent: Found | undefined
  readonly variants: readonly Found[]
  readonly total: number
}

const MOST = 100

async function readFamily(call: Call, parentId: string, signal: AbortSignal): Promise<Family> {
  const ask = (field: 'id' | 'parentId') =>
    call('POST /api/v1/search', {
      body: {
        criteria: [{ field, operator: 'equals', value: parentId }],
        criteriaOperator: 'and',
        include: ['completeness'],
        sort: [{ field: 'createdAt', direction: 'asc' }],
        limit: MOST,
      },
      signal,
    })
  const [parents, variants] = await Promise.all([ask('id'), ask('parentId')])
  return { parent: parents.body[0], variants: variants.body, total: variants.total ?? variants.body.length }
}

export function VariantsTab() {
  const { call, model, undo } = useConsole()
  const { form, schema, mayWrite, renew } = useRecord()
  const record = form.stored.value!.record
  const parentId = record.parentId ?? record.id
  const query = useRecordQuery('variants', (signal) => readFamily(call, parentId, signal))
  const { isBusy, act } = useActing()
  const writing = useActing()
  const [made, setMade] = useState<string | undefined>(undefined)
  const create = () =>
    act(async () => {
      const body = { schemaId: record.schemaId, parentId, values: {} }
      const { body: variant } = await call('POST /api/v1/records', { body, idempotencyKey: newKey() })
      const onDone = () => void query.refresh().catch(() => undefined)
      undo.push(stepOfMaking(form.console, variant.id, t('record.newVariant'), onDone))
      renew()
      setMade(variant.id)
      await query.refresh()
    })
  const write = async (id: string, change: FieldChange): Promise<boolean> => {
    const isDone = await writing.act(async () => {
      await patchRecord(form.console, id, [change])
      undo.push(stepOf(form.console, id, [change], renew))
    })
    renew()
    await query.refresh()
    return isDone
  }
  const add = model.may('records.create') ? (
    <Button icon="add" isBusy={isBusy} onClick={create}>
      {t('record.newVariant')}
    </Button>
  ) : undefined
  return (
    <Shown query={query} class="variants-tab">
      {(family) =>
        family.variants.length === 0 ? (
          <Empty icon="records" title={t('record.noVariants')} action={add}>
            <p>{t('record.noVariantsHelp')}</p>
          </Empty>
        ) : (
          <>
            <div class="row">
              <p class="hint grow">{mayWrite ? t('record.variantsHelp') : ''}</p>
              {add}
            </div>
            <VariantTable
              family={family}
              columns={variantColumns(schema, family.variants, (alias) => model.access(schema.id, alias) !== 'none')}
              onWrite={write}
              made={made}
            />
            {family.total > family.variants.length && (
              <p class="hint">{t('record.more', { count: family.total - family.variants.length })}</p>
            )}
          </>
        )
      }
    </Shown>
  )
}

interface TableProps {
  readonly family: Family
  readonly columns: readonly Attribute[]
  readonly onWrite: (id: string, change: FieldChange) => Promise<boolean>
  /** A new variant: its first field receives the focus when the variant exists. */
  readonly made: string | undefined
}

function VariantTable({ family, columns, onWrite, made }: TableProps) {
  const { model, scope } = useConsole()
  const { form, schema } = useRecord()
  const isThere = family.variants.some(({ id }) => id === made)
  useLayoutEffect(() => {
    if (isThere) document.querySelector<HTMLElement>(`[data-variant="${CSS.escape(made!)}"] input`)?.focus()
  }, [isThere, made])
  const nameOf = (record: Found): string => {
    if (record.parentId === null) return t('record.parent')
    const label = labelOf(record, schema, scope.current.value)
    // A variant without its own label has its parent's label, like its siblings.
    const at = family.variants.indexOf(record) + 1
    return label === record.id ? t('record.variantAt', { n: at }) : label
  }
  const rows = [...(family.parent === undefined ? [] : [family.parent]), ...family.variants]
  return (
    <div class="table-scroll">
      <table class="variants">
        <thead>
          <tr>
            <th scope="col">{t('form.record')}</th>
            {columns.map((attribute) => (
              <th key={attribute.alias} scope="col" title={model.nameOf(attribute)} dir="auto">
                {model.nameOf(attribute)}
              </th>
            ))}
            <th scope="col">{t('field.completeness')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((record) => (
            <tr key={record.id} data-variant={record.id} class={record.id === form.recordId ? 'current' : undefined}>
              <th scope="row">
                <a
                  href={writeAddress({ place: 'records', id: record.id, query: { tab: 'variants' } })}
                  title={record.id}
                  dir="auto"
                >
                  {nameOf(record)}
                </a>
              </th>
              {columns.map((attribute) => (
                <VariantCell
                  key={attribute.alias}
                  record={record}
                  parent={record.parentId === null ? {} : (family.parent?.values ?? {})}
                  attribute={attribute}
                  onWrite={(change) => onWrite(record.id, change)}
                />
              ))}
              <td class="complete">
                {record.completeness !== undefined && record.completeness.total > 0 && (
                  <>
                    <Meter percentage={record.completeness.percentage} />{' '}
                    <span class="number">
                      {record.completeness.filled}/{record.completeness.total}
                    </span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
