// A scope: for each dimension, a list of segments.
import type { Scope } from '../../src/core/scopes/scope.ts'
import { segmentOf } from '../../src/core/scopes/scope.ts'
import { Select } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'

export function ScopeFields(props: {
  readonly label: string
  readonly scope: Scope
  readonly dimensionIds: readonly string[]
  readonly onChange: (scope: Scope) => void
}) {
  const { model } = useConsole()
  const dimensions = model.dimensions.value.filter(({ id }) => props.dimensionIds.includes(id))
  if (dimensions.length === 0) return null
  return (
    <span class="row">
      {dimensions.map((dimension) => (
        <Select
          key={dimension.id}
          label={`${props.label}: ${model.nameOf(dimension)}`}
          value={segmentOf(props.scope, dimension.id) ?? ''}
          choices={[
            { id: '', name: t('scope.all', { dimension: model.nameOf(dimension) }) },
            ...dimension.segments.map((segment) => ({ id: segment.id, name: model.nameOf(segment) })),
          ]}
          onChange={(id) => {
            const { [dimension.id]: _, ...others } = props.scope
            props.onChange(id === '' ? others : { ...others, [dimension.id]: id })
          }}
        />
      ))}
    </span>
  )
}
