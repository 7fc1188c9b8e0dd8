// The strip that shows the scope of written values: a choice for each dimension. The first six segments have their own
// hues, which never carry meaning alone.
import { useConsole } from '../state/context.ts'
import { segmentOf } from '../../src/core/scopes/scope.ts'
import { t } from '../words/words.ts'
import { Select } from './field.tsx'

export function ScopeBar() {
  const { model, scope } = useConsole()
  const dimensions = model.dimensions.value.filter(({ segments }) => segments.length > 0)
  if (dimensions.length === 0) return null
  return (
    <div class="scope-bar" role="group" aria-label={t('scope.title')}>
      {dimensions.map((dimension) => {
        const chosen = segmentOf(scope.current.value, dimension.id)
        const name = model.nameOf(dimension)
        const hue = dimension.segments.findIndex(({ id }) => id === chosen)
        return (
          <Select
            key={dimension.id}
            label={name}
            class={chosen === undefined ? 'scope' : `scope chosen hue-${hue % 6}`}
            value={chosen ?? ''}
            choices={[
              { id: '', name: t('scope.all', { dimension: name }) },
              ...dimension.segments.map((segment) => ({ id: segment.id, name: model.nameOf(segment) })),
            ]}
            onChange={(id) => scope.choose(dimension.id, id === '' ? undefined : id)}
          />
        )
      })}
    </div>
  )
}
