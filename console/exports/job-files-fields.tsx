// The pictures and other files that go with a feed. Contract 4 §4.
import { SECRET_PLACEHOLDER } from '../../src/kernel/secrets/secret-fields.ts'
import { Segmented } from '../kit/chips.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useConsole, useRead } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import type { JobDraft, PartProps } from './job-draft.ts'

type JobFiles = NonNullable<JobDraft['files']>

const FIRST: Omit<JobFiles, 'attributes'> = { preset: 'original', name: '{id}-{n}.{ext}', as: 'beside' }

export function JobFilesFields({ draft, put }: PartProps) {
  const options = useFileAttributes(draft.schemaId)
  const { files } = draft
  if (files === null && options.length === 0) return null
  const change = (changes: Partial<JobFiles>) => put({ files: { ...files!, ...changes } })
  return (
    <>
      <Checkbox
        {...hinted('exports.withFiles')}
        isChecked={files !== null}
        onChange={(isOn) => put({ files: isOn ? { ...FIRST, attributes: [options[0]!.id] } : null })}
      />
      {files !== null && (
        <>
          <IdsField
            {...hinted('exports.filesOf')}
            options={options}
            ids={files.attributes}
            onChange={(attributes) => change({ attributes })}
          />
          <Delivery files={files} change={change} />
        </>
      )}
    </>
  )
}

interface DeliveryProps {
  readonly files: JobFiles
  readonly change: (changes: Partial<JobFiles>) => void
}

/** The form of delivery, and the names of the delivered files. */
function Delivery({ files, change }: DeliveryProps) {
  const presets = useRead('exports presets', 'GET /api/v1/rendition-presets').data.value ?? []
  const { publicBase: _base, ...withoutBase } = files
  const { preset = 'original' } = files
  const ids = [...new Set([preset, ...presets.map(({ id }) => id)])]
  return (
    <>
      <SelectField
        {...hinted('exports.filePreset')}
        value={preset}
        choices={ids.map((id) => ({ id, name: id === 'original' ? t('exports.asItIs') : id }))}
        onChange={(preset) => change({ preset })}
      />
      <TextField
        label={t('exports.fileNames')}
        value={files.name}
        hint={files.name === SECRET_PLACEHOLDER ? t('exports.masked') : '{id} {n} {ext} {fileName}'}
        onInput={(name) => change({ name })}
      />
      <Segmented
        {...hinted('exports.filesAs')}
        value={files.as}
        choices={[
          { id: 'beside', name: t('exports.filesBeside') },
          { id: 'zip', name: t('exports.filesZip') },
        ]}
        onChange={(as) => change(as === 'zip' ? { ...withoutBase, publicBase: undefined, as } : { as })}
      />
      {files.as === 'beside' && (
        <TextField
          label={t('exports.publicBase')}
          value={files.publicBase ?? ''}
          hint={t('exports.publicBaseHelp')}
          onInput={(base) => change({ publicBase: base === '' ? undefined : base })}
        />
      )}
    </>
  )
}

/** Attributes with files, or with references, of the schema or of all schemas. */
function useFileAttributes(schemaId: string | null) {
  const { model } = useConsole()
  const schemas = model.schemas.value.filter(({ id }) => schemaId === null || id === schemaId)
  const found = schemas.flatMap(({ attributes }) =>
    attributes.filter(({ dataType }) => dataType === 'file' || dataType === 'reference' || dataType === 'references'),
  )
  const names = new Map(found.map((attribute) => [attribute.alias, model.nameOf(attribute)]))
  return [...names].map(([id, name]) => ({ id, name }))
}
