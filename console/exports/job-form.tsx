// The form of a job, new or stored. The tab keeps typed values until they are saved, except secrets.
// Contract 2 §6, 3 §5.
import { useState } from 'preact/hooks'
import { Button, LinkButton } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { ErrorBox, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { useSaveKey } from '../kit/save-key.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { t } from '../words/place.ts'
import { ColumnsField } from './columns-field.tsx'
import { ConfigForm } from './config-form.tsx'
import { type Destination, fieldOfMessage, fieldsOf, missingFields, type TypedSecrets } from './config-fields.ts'
import { DraftTrial } from './draft-trial.tsx'
import { FileFields } from './file-fields.tsx'
import { bodyOf, draftOf, type ExportJob, type JobDraft, newJob, withDestination } from './job-draft.ts'
import { SafetyFields } from './safety-fields.tsx'
import { WhatFields } from './what-fields.tsx'
import { WhenFields } from './when-fields.tsx'
import { SelectField } from '../kit/select-field.tsx'

export function JobForm({ job }: { readonly job: ExportJob | undefined }) {
  const { call } = useConsole()
  const query = useQuery(
    'exports destinations',
    async (signal) => (await call('GET /api/v1/export-destinations', { signal })).body,
  )
  const title = job === undefined ? t('exports.add') : t('exports.editTitle', { name: job.name })
  const crumbs = [{ title: t('place.exports'), href: writeAddress({ place: 'exports' }) }]
  return (
    <>
      <PlaceHead title={title} crumbs={crumbs} />
      <Shown query={query}>{(destinations) => <Form job={job} destinations={destinations} />}</Shown>
    </>
  )
}

/** Saves the job, and holds the faults of the form. */
function useSaving(job: ExportJob | undefined, draft: ReturnType<typeof useFormDraft<JobDraft>>) {
  const { call, cache, router, status } = useConsole()
  const [typed, setTyped] = useState<TypedSecrets>({})
  const [error, setError] = useState<Error | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const body = bodyOf(draft.value, typed)
      const saved =
        job === undefined
          ? await call('POST /api/v1/export-jobs', { body })
          : await call('PUT /api/v1/export-jobs/:id', { params: { id: job.id }, body })
      draft.drop()
      cache.refreshAll('exports ')
      status.tell(t('exports.saved', { name: saved.body.name }))
      router.go({ place: 'exports', id: saved.body.id })
    } catch (fault) {
      setError(fault as Error)
    } finally {
      setBusy(false)
    }
  }
  return { typed, setTyped, error, isBusy, save }
}

function Form({
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
  const { typed, setTyped, error, isBusy, save } = useSaving(job, draft)
  const { value } = draft
  const destination = destinations.find(({ type }) => type === value.destinationType)
  const fields = destination === undefined ? [] : fieldsOf(destination)
  const missing = [
    ...(value.name.trim() === '' ? [t('name')] : []),
    ...missingFields(fields, value.destinationConfig, typed),
  ]
  const closedBecause = missing.length === 0 ? undefined : t('exports.missing', { fields: missing.join(', ') })
  const faulty = fieldOfMessage(error?.message ?? '', fields)
  useSaveKey(() => closedBecause === undefined && !isBusy && void save())
  const giveUp = () => {
    draft.drop()
    router.go({ place: 'exports', id: job?.id ?? null })
  }
  return (
    <form
      class="page form halves"
      onSubmit={(event) => {
        event.preventDefault()
        if (closedBecause === undefined && !isBusy) void save()
      }}
    >
      {draft.isOutdated && <p class="warning">{t('form.outdated')}</p>}
      <div>
        <WhatFields draft={value} put={draft.put} />
        <FileFields draft={value} put={draft.put} />
      </div>
      <div>
        <section>
          <h2>{t('exports.where')}</h2>
          <SelectField
            label={t('exports.destination')}
            value={value.destinationType}
            choices={destinations.map(({ type, title }) => ({ id: type, name: title }))}
            onChange={(type) => {
              draft.put(withDestination(value, type))
              setTyped({})
            }}
          />
          <ConfigForm
            fields={fields}
            config={value.destinationConfig}
            typed={typed}
            fault={error !== undefined && faulty !== undefined ? { key: faulty, message: error.message } : undefined}
            onConfig={(destinationConfig) => draft.put({ destinationConfig })}
            onTyped={setTyped}
          />
        </section>
        <WhenFields draft={value} put={draft.put} />
        <SafetyFields draft={value} put={draft.put} />
      </div>
      <ColumnsField draft={value} put={draft.put} />
      <DraftTrial body={bodyOf(value, typed)} id={job?.id} />
      {error !== undefined && <ErrorBox error={error} />}
      <div class="form-foot">
        <Button type="submit" kind="main" isBusy={isBusy} closedBecause={closedBecause}>
          {t('save')}
        </Button>
        <Button onClick={giveUp}>{draft.isChanged ? t('discard') : t('cancel')}</Button>
        {closedBecause !== undefined && <span class="quiet">{closedBecause}</span>}
        {draft.isChanged && job !== undefined && (
          <LinkButton kind="quiet" href={writeAddress({ place: 'exports', id: job.id })}>
            {t('form.later')}
          </LinkButton>
        )}
      </div>
    </form>
  )
}
