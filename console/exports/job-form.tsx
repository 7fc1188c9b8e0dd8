// The form of a job, new or stored. The tab keeps typed values until they are saved, except secrets.
// Contract 2 §6, 3 §5.
import { useEffect, useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { DraftForm } from '../kit/draft-form.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { type FormDraft, useFormDraft } from '../state/form-draft.ts'
import { hinted, t } from '../words/place.ts'
import { ColumnsField } from './columns-field.tsx'
import { ConfigForm } from './config-form.tsx'
import {
  type ConfigEditing,
  type ConfigField,
  type Destination,
  fieldOfMessage,
  fieldsOf,
  missingFields,
  settingWord,
} from './config-fields.ts'
import type { TypedSecrets } from '../kit/config.ts'
import { DraftTrial } from './draft-trial.tsx'
import { FileFields, filenameFault } from './file-fields.tsx'
import { bodyOf, draftOf, type ExportJob, type JobDraft, newJob, withDestination } from './job-draft.ts'
import { SafetyFields } from './safety-fields.tsx'
import { WhatFields } from './what-fields.tsx'
import { WhenFields } from './when-fields.tsx'
import { SelectField } from '../kit/select-field.tsx'

export function JobForm({ job }: { readonly job: ExportJob | undefined }) {
  const query = useRead('exports destinations', 'GET /api/v1/export-destinations')
  const title = job === undefined ? t('exports.add') : t('form.editTitle', { name: job.name })
  const above = { title: t('place.exports'), place: 'exports' }
  return (
    <>
      <PlaceHead title={title} above={above} />
      <Shown query={query}>{(destinations) => <JobFields job={job} destinations={destinations} />}</Shown>
    </>
  )
}

/** Saves the job, with the secrets that the user types. */
function useJobSaving(job: ExportJob | undefined, draft: FormDraft<JobDraft>) {
  const { call, cache, router, status } = useConsole()
  const [typed, setTyped] = useState<TypedSecrets>({})
  const saving = useSaving()
  const save = () =>
    saving.act(async () => {
      const body = bodyOf(draft.value, typed)
      const saved =
        job === undefined
          ? await call('POST /api/v1/export-jobs', { body })
          : await call('PUT /api/v1/export-jobs/:id', { params: { id: job.id }, body })
      draft.drop()
      cache.refreshAll('exports ')
      status.tell(t('form.saved', { name: saved.body.name }))
      router.go({ place: 'exports', id: saved.body.id })
    })
  return { ...saving, typed, setTyped, save }
}

/** A refusal that names a field is shown there, and not a second time. */
function useFieldFault(error: Error | undefined, fields: readonly ConfigField[]): ConfigEditing['fault'] {
  const key = fieldOfMessage(error?.message ?? '', fields)
  // The field may be far above the button.
  useEffect(() => {
    if (key !== undefined) document.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  return error && key !== undefined ? { key, message: sayFailure(error) } : undefined
}

function JobFields({
  job,
  destinations,
}: {
  readonly job: ExportJob | undefined
  readonly destinations: readonly Destination[]
}) {
  const { router } = useConsole()
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const stored = job === undefined ? newJob(destinations[0]?.type ?? '', zone) : draftOf(job)
  const draft = useFormDraft<JobDraft>(`export ${job?.id ?? 'new'}`, stored)
  const { typed, setTyped, error, isBusy, act, save } = useJobSaving(job, draft)
  const { value } = draft
  // With the ID of a stored job, the server knows its secrets.
  const body = { ...bodyOf(value, typed), ...(job === undefined ? {} : { id: job.id }) }
  const destination = destinations.find(({ type }) => type === value.destinationType)
  const fields = destination === undefined ? [] : fieldsOf(destination)
  const missing = [
    ...(value.name.trim() === '' ? [t('name')] : []),
    ...missingFields(fields, value.destinationConfig, typed),
  ]
  const wrongName = filenameFault(value.filenameTemplate, job?.id)
  const closedBecause = missing.length === 0 ? wrongName : t('exports.missing', { fields: missing.join(', ') })
  const fault = useFieldFault(error, fields)
  const giveUp = () => {
    draft.drop()
    router.go({ place: 'exports', id: job?.id ?? null })
  }
  return (
    <DraftForm
      class="page form halves"
      draft={draft}
      action={t('save')}
      isBusy={isBusy}
      error={fault === undefined ? error : undefined}
      closedBecause={closedBecause}
      onSubmit={save}
      buttons={<Button onClick={giveUp}>{draft.isChanged ? t('discard') : t('cancel')}</Button>}
      footEnd={
        draft.isChanged &&
        job !== undefined && (
          <LinkButton kind="quiet" href={writeAddress({ place: 'exports', id: job.id })}>
            {t('form.later')}
          </LinkButton>
        )
      }
    >
      <div>
        <WhatFields draft={value} put={draft.put} />
        <FileFields draft={value} put={draft.put} fault={wrongName} />
      </div>
      <div>
        <section>
          <h2>{t('exports.where')}</h2>
          <SelectField
            {...hinted('exports.destination')}
            value={value.destinationType}
            choices={destinations.map(({ type, title }) => ({ id: type, name: settingWord(type) ?? title }))}
            onChange={(type) => {
              draft.put(withDestination(value, type))
              setTyped({})
            }}
          />
          <ConfigForm
            fields={fields}
            config={value.destinationConfig}
            typed={typed}
            fault={fault}
            onConfig={(destinationConfig) => draft.put({ destinationConfig })}
            onTyped={setTyped}
          />
        </section>
        <WhenFields draft={value} put={draft.put} />
        <SafetyFields draft={value} put={draft.put} />
      </div>
      <ColumnsField draft={value} put={draft.put} body={body} />
      <DraftTrial body={body} isBusy={isBusy} act={act} />
    </DraftForm>
  )
}
