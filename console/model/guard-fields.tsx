// The condition that makes an attribute visible: criteria on other attributes. A guard that the role may not see stays
// unchanged. Contract 2 §3, 3 §9.6.
import { BASIC_OPERATOR_NAMES } from '../../src/core/search/rules/operators.ts'
import { Button } from '../kit/button.tsx'
import { Select } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { AttributeDraft } from './definition.ts'

type Guard = Exclude<AttributeDraft['guard'], string | null>
type Criterion = Guard['criteria'][number]

/** These operators compare no value. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['isEmpty', 'isNotEmpty'])

export function GuardFields(props: {
  readonly attribute: AttributeDraft
  readonly attributes: readonly AttributeDraft[]
  readonly put: (changes: Partial<AttributeDraft>) => void
}) {
  const { attribute, put } = props
  const others = props.attributes.filter(({ alias }) => alias !== attribute.alias)
  const { guard } = attribute
  if (typeof guard === 'string') return <p class="quiet">{t('model.guardHidden')}</p>
  const criteria = guard?.criteria ?? []
  const set = (next: readonly Criterion[]) =>
    put({
      guard: next.length === 0 ? null : { criteriaOperator: guard?.criteriaOperator ?? 'and', criteria: [...next] },
    })
  const first = others[0]
  return (
    <div class="guard" role="group" aria-label={t('model.guard')}>
      <h3>{t('model.guard')}</h3>
      <p class="hint">{t('model.guardHelp')}</p>
      {criteria.length > 1 && (
        <Select
          label={t('model.guardHow')}
          value={guard?.criteriaOperator ?? 'and'}
          choices={[
            { id: 'and', name: t('model.guardAll') },
            { id: 'or', name: t('model.guardAny') },
          ]}
          onChange={(id) => put({ guard: { criteriaOperator: id === 'or' ? 'or' : 'and', criteria: [...criteria] } })}
        />
      )}
      {criteria.map((criterion, index) => (
        <CriterionRow
          key={index}
          criterion={criterion}
          others={others}
          onChange={(changed) => set(criteria.map((one, at) => (at === index ? changed : one)))}
          onRemove={() => set(criteria.filter((_, at) => at !== index))}
        />
      ))}
      {first !== undefined && (
        <Button icon="add" onClick={() => set([...criteria, { attributeAlias: first.alias, operator: 'isNotEmpty' }])}>
          {t('model.addCriterion')}
        </Button>
      )}
    </div>
  )
}

function CriterionRow(props: {
  readonly criterion: Criterion
  readonly others: readonly AttributeDraft[]
  readonly onChange: (criterion: Criterion) => void
  readonly onRemove: () => void
}) {
  const { model } = useConsole()
  const { criterion, others, onChange } = props
  return (
    <div class="row">
      <Select
        label={t('form.attribute')}
        value={criterion.attributeAlias}
        choices={others.map((one) => ({ id: one.alias, name: model.nameOf(one) }))}
        onChange={(attributeAlias) => onChange({ ...criterion, attributeAlias })}
      />
      <Select
        label={t('model.operator')}
        value={criterion.operator}
        choices={BASIC_OPERATOR_NAMES.map((id) => ({ id, name: t(`operator.${id}`) }))}
        onChange={(operator) => {
          const { value: _value, ...rest } = criterion
          const has = !WITHOUT_VALUE.has(operator)
          onChange({ ...rest, operator, ...(has ? { value: criterion.value ?? '' } : {}) } as Criterion)
        }}
      />
      {!WITHOUT_VALUE.has(criterion.operator) && (
        <input
          aria-label={t('model.value')}
          dir="auto"
          value={criterion.value ?? ''}
          onInput={(event) => onChange({ ...criterion, value: event.currentTarget.value })}
        />
      )}
      <Button kind="quiet" icon="delete" label={t('model.removeCriterion')} onClick={props.onRemove} />
    </div>
  )
}
