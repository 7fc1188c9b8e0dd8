// The rules of an attribute's values: lengths, a pattern, bounds.

import { Checkbox, TextField } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { hinted, t } from '../words/place.ts'
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
            {...hinted('rule.integer')}
            isChecked={validation.integer === true}
            onChange={(isOn) => set(rule, isOn ? true : undefined)}
          />
        ) : isNumeric(rule) ? (
          <NumberField
            key={rule}
            label={t(`rule.${rule}`)}
            value={validation[rule]}
            checks={{ step: 'any' }}
            onInput={(value) => set(rule, value)}
          />
        ) : (
          <TextField
            key={rule}
            label={t(`rule.${rule}`)}
            value={writeRule(validation[rule])}
            onInput={(text) => set(rule, readRule(rule, text))}
          />
        ),
      )}
    </div>
  )
}

const WRITTEN = ['pattern', 'schemaId', 'mediaTypes', 'minPixels', 'maxPixels', 'integer'] as const
type Written = (typeof WRITTEN)[number]

function isNumeric(rule: RuleName): rule is Exclude<RuleName, Written> {
  return !WRITTEN.includes(rule as Written)
}

function readRule(rule: RuleName, text: string): unknown {
  if (rule === 'mediaTypes') return text.trim() === '' ? undefined : text.split(',').map((type) => type.trim())
  return rule === 'minPixels' || rule === 'maxPixels' ? readPixels(text) : text
}

/** Reads a text such as `800 x 600`; one side may be left out. */
function readPixels(text: string): unknown {
  if (text.trim() === '') return undefined
  const [width, height] = text.split(/[x×]/i).map((side) => asNumber(side))
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) }
}

function writeRule(rule: AttributeDraft['validation'][RuleName]): string {
  if (rule === undefined) return ''
  if (typeof rule !== 'object') return String(rule)
  if ('length' in rule) return rule.join(', ')
  const { width = '', height } = rule
  return height === undefined ? String(width) : `${width} × ${height}`
}

/** Returns a number; a text that is not a number stays a text, which the server refuses. */
function asNumber(text: string): unknown {
  const number = Number(text)
  return text.trim() === '' ? undefined : Number.isFinite(number) ? number : text
}
