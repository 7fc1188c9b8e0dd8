// The rules of an attribute's values: lengths, a pattern, bounds.
import { Checkbox, TextField } from '../kit/field.tsx'
import { t } from '../words/place.ts'
import { type AttributeDraft, type RuleName, rulesOf } from './definition.ts'

export function RuleFields(props: {
  readonly attribute: AttributeDraft
  readonly put: (changes: Partial<AttributeDraft>) => void
}) {
  const { attribute, put } = props
  const { validation } = attribute
  const set = (rule: RuleName, value: unknown) => {
    const { [rule]: _before, ...others } = validation
    put({ validation: value === undefined || value === '' ? others : { ...others, [rule]: value } })
  }
  return (
    <div class="rules">
      {rulesOf(attribute.dataType).map((rule) =>
        rule === 'integer' ? (
          <Checkbox
            key={rule}
            label={t('rule.integer')}
            isChecked={validation.integer === true}
            onChange={(isOn) => set(rule, isOn ? true : undefined)}
          />
        ) : (
          <TextField
            key={rule}
            label={t(`rule.${rule}`)}
            value={String(validation[rule] ?? '')}
            onInput={(text) => set(rule, rule === 'pattern' || rule === 'schemaId' ? text : asNumber(text))}
          />
        ),
      )}
    </div>
  )
}

/** A text that is not a number stays a text, and the server refuses it. */
function asNumber(text: string): unknown {
  const number = Number(text)
  return text.trim() === '' ? undefined : Number.isFinite(number) ? number : text
}
