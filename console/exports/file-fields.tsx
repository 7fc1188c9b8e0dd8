// The format of a job's file.
import { EXPORT_FORMATS } from '../../src/exports/rules/export-format.ts'
import { findFilenameFault } from '../../src/exports/rules/export-filename.ts'
import { Segmented } from '../kit/chips.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { hinted, t } from '../words/place.ts'
import { SelectField } from '../kit/select-field.tsx'
import type { PartProps } from './job-draft.ts'
import { JobFilesFields } from './job-files-fields.tsx'
import { XmlFields } from './xml-fields.tsx'

const DELIMITERS = [',', ';', '\t', '|']

/** Undefined: the server takes the name. @param jobId of a stored job */
export function filenameFault(template: string, jobId: string | undefined): string | undefined {
  return findFilenameFault(template, jobId) === undefined ? undefined : t('exports.filenameFault')
}

export function FileFields({ draft, put, fault }: PartProps & { readonly fault: string | undefined }) {
  return (
    <section>
      <h2>{t('exports.file')}</h2>
      <Segmented
        {...hinted('form.format', 'hint.exports.format')}
        value={draft.format}
        choices={EXPORT_FORMATS.map((id) => ({ id, name: id }))}
        onChange={(format) => put({ format })}
      />
      <TextField
        label={t('exports.filename')}
        value={draft.filenameTemplate}
        hint="{date} {time} {jobId} {runId} {format}"
        error={fault}
        onInput={(filenameTemplate) => put({ filenameTemplate })}
      />
      <Checkbox {...hinted('exports.compress')} isChecked={draft.compress} onChange={(compress) => put({ compress })} />
      {draft.format === 'csv' && <CsvFields draft={draft} put={put} />}
      {draft.format === 'xlsx' && (
        <TextField
          {...hinted('exports.sheet')}
          value={draft.sheet ?? ''}
          onInput={(sheet) => put({ sheet: sheet === '' ? null : sheet })}
        />
      )}
      {draft.format === 'xml' && <XmlFields draft={draft} put={put} />}
      <JobFilesFields draft={draft} put={put} />
    </section>
  )
}

/** Programs in different countries read different kinds of csv. */
function CsvFields({ draft, put }: PartProps) {
  return (
    <>
      <div class="row">
        <SelectField
          {...hinted('exports.delimiter')}
          value={draft.delimiter}
          choices={[...new Set([...DELIMITERS, draft.delimiter])].map((id) => ({
            id,
            name: id === '\t' ? t('form.tab') : id,
          }))}
          onChange={(delimiter) => put({ delimiter })}
        />
        <SelectField
          {...hinted('form.decimal', 'hint.exports.decimal')}
          value={draft.decimal}
          choices={['.', ','].map((id) => ({ id, name: `1${id}5` }))}
          onChange={(decimal) => put({ decimal } as Partial<typeof draft>)}
        />
        <TextField
          {...hinted('exports.separator')}
          value={draft.separator}
          onInput={(separator) => put({ separator })}
        />
      </div>
      <Checkbox {...hinted('exports.bom')} isChecked={draft.bom} onChange={(bom) => put({ bom })} />
      <Checkbox
        {...hinted('exports.spreadsheetSafe')}
        isChecked={draft.spreadsheetSafe}
        onChange={(spreadsheetSafe) => put({ spreadsheetSafe })}
      />
    </>
  )
}
