// The combinations of segments that count for completeness: all, or only those that match an entry of a list.
// Contract 2 §3.
import { Button } from '../kit/button.tsx'
import { Checkbox, Select } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import type { SchemaPartProps } from './definition.ts'
import { own } from '../../src/kernel/own.ts'

export function Combinations({ draft }: SchemaPartProps) {
  const { model } = useConsole()
  const { combinations } = draft.value
  const put = (index: number, dimensionId: string, segment: string) =>
    draft.put({
      combinations: (combinations ?? []).map((scope, at) => {
        if (at !== index) return scope
        const { [dimensionId]: _before, ...others } = scope
        return segment === '' ? others : { ...others, [dimensionId]: segment }
      }),
    })
  return (
    <div class="page form">
      <p class="quiet">{t('model.combinationsHelp')}</p>
      <Checkbox
        {...hinted('model.combinationsAll')}
        isChecked={combinations === null}
        onChange={(isAll) => draft.put({ combinations: isAll ? null : [{}] })}
      />
      {combinations?.map((scope, index) => (
        <div key={index} class="row" role="group" aria-label={t('model.combination', { number: index + 1 })}>
          {model.dimensions.value.map((dimension) => (
            <Select
              key={dimension.id}
              label={model.nameOf(dimension)}
              value={own(scope, dimension.id) ?? ''}
              choices={[
                { id: '', name: t('scope.all', { dimension: model.nameOf(dimension) }) },
                ...dimension.segments.map((segment) => ({ id: segment.id, name: model.nameOf(segment) })),
              ]}
              onChange={(segment) => put(index, dimension.id, segment)}
            />
          ))}
          <Button
            kind="quiet"
            icon="delete"
            label={t('model.removeCombination')}
            onClick={() => draft.put({ combinations: combinations.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      {combinations !== null && (
        <div>
          <Button icon="add" onClick={() => draft.put({ combinations: [...combinations, {}] })}>
            {t('add')}
          </Button>
        </div>
      )}
    </div>
  )
}
