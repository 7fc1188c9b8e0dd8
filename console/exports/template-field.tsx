// The template of a composed column, with the place of a fault, and the column's text for the first records.
// Contract 3 §11.
import { useState } from 'preact/hooks'
import { faultPlaceOf } from '../../src/exports/rules/template/template-fault.ts'
import { findTemplateFault } from '../../src/exports/rules/template/template-reader.ts'
import { SECRET_PLACEHOLDER } from '../../src/kernel/secrets/secret-fields.ts'
import { TextArea } from '../kit/text-area.tsx'
import { t } from '../words/place.ts'
import type { FeedColumn } from './feed-columns.ts'
import type { JobBody } from './job-draft.ts'
import { useLivePreview } from './live-preview.ts'

/** Records whose text is shown. */
const SHOWN = 3
const EXAMPLE = '{name|cut:150}, {price.amount|fixed:2} {price.currency}'
/** The number of characters shown beside a fault. */
const NEAR = 24

export function TemplateField(props: {
  readonly column: FeedColumn
  /** The job that is being edited. */
  readonly body: JobBody
  readonly onChange: (template: string) => void
}) {
  const { column, body, onChange } = props
  const template = column.template ?? ''
  const [isActive, setActive] = useState(false)
  const isMasked = template === SECRET_PLACEHOLDER
  const own = template === '' ? t('exports.templateEmpty') : findTemplateFault(template)?.message
  const isTried = isActive && own === undefined && !isMasked
  const { answer, fault } = useLivePreview(isTried ? alone(body, column) : undefined, SHOWN)
  const problem = own ?? ofTemplate(fault?.message)
  const place = problem === undefined ? undefined : faultPlaceOf(problem)
  return (
    <div class="template" onFocusIn={() => setActive(true)}>
      <TextArea
        label={t('exports.templateOf', { name: column.header })}
        value={template}
        rows={2}
        hint={isMasked ? t('exports.masked') : `${t('exports.templateHelp')} ${EXAMPLE}`}
        error={problem}
        onInput={onChange}
      />
      {place !== undefined && <FaultPlace text={template} at={place} />}
      {problem === undefined && isActive && answer !== undefined && <Texts answer={answer as readonly Answered[]} />}
    </div>
  )
}

interface Answered {
  readonly text: string | readonly string[] | null
}

/** Returns the job with only this column, as json. */
function alone(body: JobBody, { template, map }: FeedColumn): JobBody {
  const column = { header: 'text', template, ...(map === undefined ? {} : { map }) } as FeedColumn
  return { ...body, columns: [column], format: 'json', delta: null }
}

/** The rest of a message about the only column. */
function ofTemplate(fault: string | undefined): string | undefined {
  const [, problem] = /^columns\[0\]\.template (.*)$/s.exec(fault ?? '') ?? []
  return problem
}

function FaultPlace({ text, at }: { readonly text: string; readonly at: number }) {
  const sign = text.slice(at, at + 1)
  return (
    <code class="fault-place" dir="auto" aria-label={t('exports.faultPlace')}>
      {text.slice(Math.max(0, at - NEAR), at)}
      <mark>{sign.trim() === '' ? '␣' : sign}</mark>
      {text.slice(at + 1, at + NEAR)}
    </code>
  )
}

function Texts({ answer }: { readonly answer: readonly Answered[] }) {
  return (
    <ul class="template-texts" aria-label={t('exports.templateTexts')}>
      {answer.map(({ text }, index) => (
        <li key={index} dir="auto" class={text === null ? 'quiet' : undefined}>
          {text === null ? t('noValue') : [text].flat().join(' | ')}
        </li>
      ))}
    </ul>
  )
}
