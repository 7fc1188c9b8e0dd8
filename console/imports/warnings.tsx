// Warnings before a file is imported: the sheet that is read, footnotes, languages that are new to all
// schemas. Contract 5 §1.
import type { ComponentChildren } from 'preact'
import type { Proposal } from '../../src/imports/rules/proposal/proposal.ts'
import { Button } from '../kit/button.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { list } from '../words/words.ts'
import { UploadProgress } from './file-drop.tsx'
import type { Import } from './mapping.ts'
import { sentFile, useUpload } from './use-upload.ts'

/** Most names in a sentence. */
const NAMED = 6
/** The least columns of a table: a cover, or a list of notes, has fewer. */
const COLUMNS_OF_TABLE = 3

export function someOf(names: readonly string[]): string {
  return list(names.length > NAMED ? [...names.slice(0, NAMED), '…'] : names)
}

/** The sheet of a workbook that is read, and the others. */
export function SheetChoice({ found }: { readonly found: Import }) {
  const { router } = useConsole()
  const { schema } = router.query.value
  const upload = useUpload({ step: 'columns', ...(schema === undefined ? {} : { schema }) })
  const { id, sheet, sheets = [], columns } = found
  const read = sheet ?? sheets[0]
  const sent = sentFile(id)
  if (read === undefined || sheets.length < 2) return null
  if (upload.now !== undefined) return <UploadProgress upload={upload} />
  return (
    <>
      <div class={columns.length < COLUMNS_OF_TABLE ? 'row warning' : 'row quiet'}>
        <p>{t('imports.sheetRead', { name: read })}</p>
        {sent === undefined
          ? t('imports.sendAgain')
          : sheets
              .filter((name) => name !== read)
              .slice(0, NAMED)
              .map((name) => (
                <Button key={name} onClick={() => upload.upload(sent.file, { ...sent.query, sheet: name }, id)}>
                  {name}
                </Button>
              ))}
      </div>
      {upload.failure !== undefined && <ErrorBox error={upload.failure.error} onRetry={upload.failure.retry} />}
    </>
  )
}

export function LoneCells({ loneCells: { rows, samples } }: Proposal) {
  return rows === 0 ? null : (
    <p class="warning">{t('proposal.loneCells', { count: rows, texts: samples.join(' · ') })}</p>
  )
}

/** Languages that become part of all schemas: records of other schemas then lack required texts. */
export function NewLanguages(props: {
  /** Undefined: the workspace has no dimension of languages, so no schema uses one. */
  readonly dimensionId: string | undefined
  readonly languages: readonly { readonly id: string; readonly name: string }[]
  readonly children?: ComponentChildren
}) {
  const { dimensionId, languages } = props
  const { model } = useConsole()
  const schemas = model.schemas.value.filter(
    ({ combinations, attributes }) =>
      combinations === null &&
      attributes.some(
        ({ dimensionIds, requiredInStateIds }) =>
          requiredInStateIds.length > 0 && dimensionIds.some((id) => id === dimensionId),
      ),
  )
  if (languages.length === 0 || schemas.length === 0) return null
  const names = someOf(languages.map(({ name }) => name))
  return (
    <div class="row warning">
      <p>{t('proposal.newLanguages', { names, schemas: someOf(schemas.map((schema) => model.nameOf(schema))) })}</p>
      {props.children}
    </div>
  )
}
