// One change of a value: before and after; long texts as a difference by words. Y1.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Locale } from '../fields/field.ts'
import { showValue } from '../fields/fields.ts'
import { useCategories } from '../kit/category-names.ts'
import { namedIn } from '../kit/record-labels.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { AuditEntry, ValueChange } from './past.ts'
import { useRecord } from './use-record.ts'
import { diffWords, withoutSameText } from './words-diff.ts'

/** Shorter texts are shown as a whole. */
const LONG = 40

export function ChangeText({
  change,
  labelOf,
}: {
  readonly change: Pick<ValueChange, 'attributeAlias' | 'scope' | 'oldValue' | 'newValue'>
  readonly labelOf?: LabelOf
}) {
  const { model } = useConsole()
  const { schema, locale } = useRecord()
  const { attributeAlias, scope, oldValue, newValue } = change
  const where = model.scopeName(scope)
  return (
    <div class="change-text grow">
      <span class="change-name" dir="auto">
        {model.attributeName(schema.id, attributeAlias)}
        {where !== '' && <span class="quiet"> [{where}]</span>}
      </span>
      <Difference
        attribute={schema.rules.attribute(attributeAlias)}
        locale={locale}
        before={oldValue}
        after={newValue}
        labelOf={labelOf}
      />
    </div>
  )
}

/** The label of a record that a value names. */
type LabelOf = (id: string) => string | undefined

interface DifferenceProps {
  readonly labelOf?: LabelOf | undefined
  /** Undefined: the attribute is deleted. */
  readonly attribute: Attribute | undefined
  readonly locale: Locale
  readonly before: unknown
  readonly after: unknown
}

/** The value before and after a change. */
export function Difference({ attribute, locale, before, after, labelOf }: DifferenceProps) {
  const said = (value: unknown) => <Value attribute={attribute} locale={locale} value={value} labelOf={labelOf} />
  const isText = typeof before === 'string' && typeof after === 'string' && namedIn(attribute, [after]).length === 0
  if (isText && Math.max(before.length, after.length) > LONG)
    return (
      <span class="diff" dir="auto">
        {withoutSameText(diffWords(before, after)).map((part, index) => {
          if (part.kind === 'gone') return <del key={index}>{part.text}</del>
          return part.kind === 'new' ? <ins key={index}>{part.text}</ins> : <span key={index}>{part.text}</span>
        })}
      </span>
    )
  return (
    <span class="diff" dir="auto">
      {before !== null && (
        <>
          <del>{said(before)}</del>{' '}
        </>
      )}
      {after === null ? <span class="quiet">{t('noValue')}</span> : <ins>{said(after)}</ins>}
    </span>
  )
}

/** For a deleted attribute, the JSON of the value. */
function Value({
  attribute,
  locale,
  value,
  labelOf,
}: Pick<DifferenceProps, 'attribute' | 'locale' | 'labelOf'> & { readonly value: unknown }) {
  const records = labelOf === undefined ? [] : namedIn(attribute, [value])
  if (records.length > 0) return <>{records.map((id) => labelOf?.(id) ?? id).join(', ')}</>
  if (attribute !== undefined) return <>{showValue(value, attribute, locale)}</>
  return <>{(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300)}</>
}

type CategoriesChange = Extract<AuditEntry['changes'][number], { readonly field: 'categories' }>

export function CategoriesText({ change: { oldValue, newValue } }: { readonly change: CategoriesChange }) {
  const { nameOf } = useCategories(true)
  const ids = (places: readonly { readonly categoryId: string }[] | null) =>
    (places ?? []).map(({ categoryId }) => nameOf(categoryId)).join(', ') || t('none')
  return (
    <p class="diff" dir="auto">
      {t('record.categoriesChanged')} <del>{ids(oldValue)}</del> <ins>{ids(newValue)}</ins>
    </p>
  )
}
