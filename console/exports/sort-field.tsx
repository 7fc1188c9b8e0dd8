// The sort order of the records: up to three fields and attributes, by priority. Contract 3 §5 (`sort`).
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import { SORT_FIELDS } from '../../src/core/search/rules/sorting.ts'
import { Button } from '../kit/button.tsx'
import { Select } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { JobDraft } from './job-draft.ts'
import type { PartProps } from './job-draft.ts'

const MAX_SORTS = 3
type SortKey = JobDraft['sort'][number]

export function SortField({ draft, put }: PartProps) {
  const { model } = useConsole()
  const { sort, schemaId } = draft
  const attributes = (model.schema(schemaId ?? '')?.attributes ?? []).filter(
    (attribute) => dataTypeOf(attribute).order !== undefined || dataTypeOf(attribute).isText,
  )
  const choices = [
    { id: '', name: t('exports.unsorted') },
    ...SORT_FIELDS.map((field) => ({ id: `.${field}`, name: t(`field.${field}`) })),
    ...attributes.map((attribute) => ({ id: attribute.alias, name: model.nameOf(attribute) })),
  ]
  const place = (index: number, id: string) => {
    if (id === '') return put({ sort: sort.toSpliced(index, 1) })
    const direction = sort[index]?.direction ?? 'asc'
    return put({ sort: sort.toSpliced(index, 1, keyOf(id, direction)) })
  }
  const shown: readonly (SortKey | undefined)[] = sort.length < MAX_SORTS ? [...sort, undefined] : sort
  return (
    <div class="field" role="group" aria-label={t('exports.sort')}>
      <span class="quiet">{t('exports.sort')}</span>
      {shown.map((key, index) => (
        <div key={index} class="row">
          <Select
            label={`${t('exports.sort')} ${index + 1}`}
            value={idOf(key)}
            choices={
              choices.some(({ id }) => id === idOf(key)) ? choices : [...choices, { id: idOf(key), name: idOf(key) }]
            }
            onChange={(id) => place(index, id)}
          />
          {key !== undefined && (
            <Button
              kind="quiet"
              icon={key.direction === 'desc' ? 'arrowDown' : 'arrowUp'}
              onClick={() =>
                put({ sort: sort.with(index, { ...key, direction: key.direction === 'desc' ? 'asc' : 'desc' }) })
              }
            >
              {key.direction === 'desc' ? t('exports.falling') : t('exports.rising')}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}

function idOf(key: SortKey | undefined): string {
  if (key === undefined) return ''
  return 'field' in key ? `.${key.field}` : key.attributeAlias
}

function keyOf(id: string, direction: 'asc' | 'desc'): SortKey {
  const field = SORT_FIELDS.find((one) => `.${one}` === id)
  return field === undefined ? { attributeAlias: id, direction } : { field, direction }
}
