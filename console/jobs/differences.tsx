// Changes of sample records as differences: before and after.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { Refusal } from '../api/failures.ts'
import type { Endpoints } from '../api/types.ts'
import { showValue } from '../fields/fields.ts'
import { rowProblems } from '../fields/problem-text.ts'
import { sayFailure } from '../kit/failure-text.ts'
import { useCategories } from '../kit/category-names.ts'
import { namedIn, useNamedRecords, useRecordLabels } from '../kit/record-labels.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import type { ModelState } from '../state/model.ts'
import { LIFECYCLE_CHANGE } from '../../src/core/records/rules/changes.ts'
import { ENGLISH } from '../words/languages.ts'
import { t } from '../words/place.ts'
import { language } from '../words/words.ts'
import { useLocale } from '../fields/use-locale.ts'

export type Sample = Endpoints['GET /api/v1/bulk-jobs/:id/samples']['reply'][number]
export type JobError = Endpoints['GET /api/v1/bulk-jobs/:id/errors']['reply'][number]
type Change = Sample['changes'][number]

/** @param schemaId undefined: aliases replace the names of attributes */
export function Differences(props: {
  readonly samples: readonly Sample[]
  readonly schemaId?: string | undefined
  /** Attributes of a schema that does not exist yet. */
  readonly planned?: readonly Attribute[] | undefined
  /** True: the record does not exist yet; a rehearsal would create it. */
  readonly isNew?: boolean
}) {
  const { model } = useConsole()
  const named = useNamedRecords(props.isNew === true ? [] : props.samples.map(({ recordId }) => recordId))
  const schemaOf = ({ recordId, changes }: Sample) =>
    props.schemaId ?? named(recordId ?? '')?.schemaId ?? schemaWith(model, changes)
  const values = props.samples.flatMap((sample) => {
    const schema = model.schema(schemaOf(sample) ?? '')
    return sample.changes.flatMap((change) =>
      'field' in change
        ? []
        : namedIn(schema?.rules.attribute(change.attributeAlias), [change.oldValue, change.newValue]),
    )
  })
  const labelOf = useRecordLabels(values)
  return (
    <ul class="differences">
      {props.samples.map((sample, at) => (
        <li key={at}>
          <Where {...sample} label={named(sample.recordId ?? '')?.label} isNew={props.isNew} />
          {sample.changes.map((change, index) => (
            <Difference key={index} change={change} {...props} schemaId={schemaOf(sample)} labelOf={labelOf} />
          ))}
        </li>
      ))}
    </ul>
  )
}

/** Returns the schema of a deleted record: the first one that has an attribute of the changes. */
function schemaWith(model: ModelState, changes: readonly Change[]): string | undefined {
  const aliases = changes.flatMap((change) => ('field' in change ? [] : [change.attributeAlias]))
  return model.schemas.value.find(({ rules }) => aliases.some((alias) => rules.attribute(alias) !== undefined))?.id
}

interface DifferenceProps {
  readonly change: Change
  readonly schemaId: string | undefined
  readonly planned?: readonly Attribute[] | undefined
  readonly labelOf: (id: string) => string | undefined
}

function Difference({ change, schemaId, planned, labelOf }: DifferenceProps) {
  const { model } = useConsole()
  const locale = useLocale()
  const categories = useCategories('field' in change)
  if ('field' in change) {
    const ids = (list: typeof change.newValue) =>
      (list ?? []).map(({ categoryId }) => categories.nameOf(categoryId)).join(', ')
    return <Values name={t('place.categories')} before={ids(change.oldValue)} after={ids(change.newValue)} />
  }
  const { attributeAlias: alias, scope, oldValue, newValue } = change
  const schema = model.schema(schemaId ?? '')
  const attribute = schema?.rules.attribute(alias) ?? planned?.find((one) => one.alias === alias)
  if (schema !== undefined && attribute === undefined && alias === LIFECYCLE_CHANGE) {
    const state = (id: unknown) => model.stateName(schema.workflowId, String(id))
    return <Values name={t('field.lifecycleStateId')} before={state(oldValue)} after={state(newValue)} />
  }
  const text = (value: unknown) => {
    if (attribute === undefined) return plainText(value)
    const records = namedIn(attribute, [value])
    if (records.length > 0) return records.map((id) => labelOf(id) ?? id).join(', ')
    return showValue(value ?? undefined, attribute, locale)
  }
  // A planned dimension has no names yet.
  const where = model.scopeName(scope) || Object.values(scope).join(' · ')
  const name = attribute === undefined ? alias : model.nameOf(attribute)
  return <Values name={where === '' ? name : `${name} [${where}]`} before={text(oldValue)} after={text(newValue)} />
}

function Values(props: { readonly name: string; readonly before: string; readonly after: string }) {
  return (
    <div class="difference">
      <span class="quiet">{props.name}</span>
      {props.before !== '' && <del dir="auto">{props.before}</del>}
      {props.after === '' ? <span class="quiet">{t('noValue')}</span> : <ins dir="auto">{props.after}</ins>}
    </div>
  )
}

/** The number of places that are named beside a reason. */
const NAMED = 3

/** Each reason once, with its first places and the number of the others. */
export function Refused({ errors }: { readonly errors: readonly JobError[] }) {
  const reasons = [...Map.groupBy(errors, ({ message }) => message)]
  const labelOf = useRecordLabels(
    reasons.flatMap(([, places]) => places.slice(0, NAMED).map(({ recordId }) => recordId)),
  )
  return (
    <ul class="differences">
      {reasons.map(([message, places]) => (
        <li key={message}>
          {places.slice(0, NAMED).map(({ recordId, line, file }, index) => (
            <span key={index}>
              {index > 0 && ' · '}
              <Where recordId={recordId} label={labelOf(recordId ?? '')} line={line} file={file} />
            </span>
          ))}
          {places.length > NAMED && (
            <span class="quiet"> {t('job.moreRefused', { count: places.length - NAMED })}</span>
          )}
          <div class="difference" dir="auto">
            {reasonOf(places[0]!)}
          </div>
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns the reason in the user's language if the message is known. Before another message comes the sentence for its
 * code.
 */
function reasonOf({ error: code, message }: JobError): string {
  const text = rowProblems(message)
  if (language.value === ENGLISH || text !== message) return text
  return sayFailure(new Refusal({ code, message, status: 400, requestId: '' }))
}

/** The line of a file, or a file of a zip; its record, and the place in the record's list. */
function Where(props: {
  readonly recordId: string | null
  /** Undefined: the record is loading, or deleted. */
  readonly label: string | undefined
  readonly line?: number | undefined
  readonly file?: string | undefined
  readonly place?: number | undefined
  readonly isNew?: boolean | undefined
}) {
  const { recordId, line, file, place, isNew = false } = props
  if (recordId !== null && isNew)
    return <span class="quiet">{line === undefined ? recordId : t('job.line', { line })}</span>
  return (
    <>
      {file === undefined
        ? line !== undefined && <span class="quiet">{t('job.line', { line })} </span>
        : recordId !== null && <span dir="auto">{`${file} → `}</span>}
      {file !== undefined && recordId === null && <span dir="auto">{file}</span>}
      {recordId !== null && (
        <a href={writeAddress({ place: 'records', id: recordId })} dir="auto">
          {props.label ?? recordId}
        </a>
      )}
      {place !== undefined && <span class="quiet"> {t('job.place', { place })}</span>}
    </>
  )
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
