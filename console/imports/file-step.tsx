// The detected format of the file, and its correction: a correction uploads the file once more.
// Contract 3 §4 (dialects).
import { ENCODINGS } from '../../src/core/csv/source-dialect.ts'
import { byteText } from '../fields/measures.ts'
import { ErrorBox } from '../kit/states.tsx'
import { LinkButton } from '../kit/button.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { moment, number } from '../words/words.ts'
import { UploadProgress } from './file-drop.tsx'
import type { StepProps } from './steps.ts'
import type { Import } from './mapping.ts'
import { sentFile, type Upload, useUpload } from './use-upload.ts'

export function FileStep({ found }: StepProps) {
  // A file that was read with new settings is shown again.
  const upload = useUpload({ step: 'file' })
  const { format, size, createdAt, expiresAt, columns } = found
  const facts = [
    [t('form.format'), format],
    [t('imports.size'), byteText(size, number)],
    [t('imports.sent'), moment(createdAt)],
    [t('imports.keptUntil'), moment(expiresAt)],
  ] as const
  return (
    <div class="sections">
      <section>
        <h2>{t('imports.recognised')}</h2>
        <dl class="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {upload.now === undefined ? <Dialect found={found} upload={upload} /> : <UploadProgress upload={upload} />}
        {upload.failure !== undefined && <ErrorBox error={upload.failure.error} onRetry={upload.failure.retry} />}
      </section>
      {columns.length > 0 && <FirstRows found={found} />}
      <div class="row">
        <LinkButton kind="main" href={writeAddress({ place: 'imports', id: found.id, query: { step: 'columns' } })}>
          {t('imports.toColumns')}
        </LinkButton>
      </div>
    </div>
  )
}

const DELIMITERS = [',', ';', '\t', '|']

/** The schema belongs to these choices, because the suggestions for columns depend on it. */
function Dialect({ found, upload }: { readonly found: Import; readonly upload: Upload }) {
  const { model } = useConsole()
  const { id, format, delimiter, decimal, encoding, sheet, sheets = [], schemaId } = found
  const sent = sentFile(id)
  const again = (changes: object) =>
    sent !== undefined && void upload.upload(sent.file, { ...sent.query, ...changes }, id)
  return (
    <>
      <div class="rules">
        {format === 'csv' && (
          <>
            <OneOf
              label={t('imports.delimiter')}
              value={delimiter}
              choices={DELIMITERS.map((sign) => ({ id: sign, name: sign === '\t' ? t('form.tab') : sign }))}
              onChange={(sign) => again({ delimiter: sign })}
            />
            <OneOf
              label={t('form.decimal')}
              value={decimal}
              choices={['.', ','].map((sign) => ({ id: sign, name: `1${sign}5` }))}
              onChange={(sign) => again({ decimal: sign })}
            />
            <OneOf
              label={t('imports.encoding')}
              value={encoding}
              choices={ENCODINGS.map((name) => ({ id: name, name }))}
              onChange={(name) => again({ encoding: name })}
            />
          </>
        )}
        {format === 'xlsx' && (
          <OneOf
            label={t('imports.sheet')}
            value={sheet ?? sheets[0] ?? null}
            choices={sheets.map((name) => ({ id: name, name }))}
            onChange={(name) => again({ sheet: name })}
          />
        )}
        <OneOf
          label={t('schema')}
          value={schemaId}
          choices={model.schemas.value.map((schema) => ({ id: schema.id, name: model.nameOf(schema) }))}
          onChange={(schema) => again({ schemaId: schema })}
        />
      </div>
      <p class="hint">{sent === undefined ? t('imports.sendAgain') : t('imports.dialectHelp')}</p>
    </>
  )
}

function OneOf(props: {
  readonly label: string
  readonly value: string | null
  readonly choices: readonly { readonly id: string; readonly name: string }[]
  readonly onChange: (id: string) => void
}) {
  const { value, choices } = props
  const known = choices.some(({ id }) => id === value)
  return (
    <SelectField
      {...props}
      value={value ?? ''}
      choices={known ? choices : [{ id: value ?? '', name: value ?? '–' }, ...choices]}
    />
  )
}

/** The first non-empty cells of each column, below the headers. */
function FirstRows({ found: { columns } }: { readonly found: Import }) {
  const rows = Math.max(...columns.map(({ samples }) => samples.length))
  return (
    <section>
      <h2>{t('imports.firstRows', { count: columns.length })}</h2>
      <div class="scroll">
        <table class="matrix first-rows">
          <thead>
            <tr>
              {columns.map(({ index, header }) => (
                <th key={index} scope="col" dir="auto">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, row) => (
              <tr key={row}>
                {columns.map(({ index, samples }) => (
                  <td key={index} dir="auto">
                    <span class="cut">{samples[row] ?? ''}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
