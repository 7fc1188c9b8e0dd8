// One job: its content, its next runs with their time zone, and its last runs. Contract 2 §6, 3 §5.
import { useState } from 'preact/hooks'
import { DeleteButton } from '../kit/deletion.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { Explain } from './explain.tsx'
import { useFollowedRuns } from './followed-runs.ts'
import { type ExportJob, type ExportRun, fileKind } from './job-draft.ts'
import { JobForm } from './job-form.tsx'
import { JobButtons } from './job-line.tsx'
import { NextRuns } from './next-runs.tsx'
import { RunLine } from './run-line.tsx'
import { runningOf } from './run-bars.ts'
import { SavedTrial } from './trial.tsx'
import type { ComponentChildren } from 'preact'
import { SECRET_PLACEHOLDER, textsIn } from '../../src/kernel/secrets/secret-fields.ts'
import { Owner } from '../kit/owner.tsx'
import { list } from '../words/words.ts'
import { settingText, titleOf } from './config-fields.ts'
import { catalogNameIn, stateNameIn } from './rule-names.ts'

const READ_RUNS = 50

export function ExportJobPage() {
  const { call, router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const query = useQuery(`exports job ${id}`, async (signal) => {
    const [job, runs] = await Promise.all([
      call('GET /api/v1/export-jobs/:id', { params: { id }, signal }),
      call('GET /api/v1/export-jobs/:id/runs', { params: { id }, query: { limit: READ_RUNS }, signal }),
    ])
    return { job: job.body, runs: runs.body }
  })
  useFollowedRuns(query.data.value?.runs ?? [], query)
  const job = query.data.value?.job
  if (job !== undefined && router.query.value['edit'] !== undefined) return <JobForm job={job} />
  const above = { title: t('place.exports'), place: 'exports' }
  return (
    <>
      <PlaceHead
        title={job?.name ?? id}
        above={above}
        actions={
          job !== undefined && (
            <>
              <JobButtons job={job} isRunning={runningOf(query.data.value?.runs ?? []) !== undefined} />
              <DeleteJob job={job} />
            </>
          )
        }
      />
      <Shown query={query} isLive>
        {(shown) => (
          <div class="page sections">
            <div class="columns">
              <JobFacts job={shown.job} />
              <section>
                <h2>{t('exports.nextRuns')}</h2>
                {!shown.job.active && <p class="wait">{t('exports.pausedHelp')}</p>}
                {shown.job.pausedReason !== null && (
                  <p class="wait" dir="auto">
                    {shown.job.pausedReason.message}
                  </p>
                )}
                <NextRuns schedule={shown.job.schedule} timezone={shown.job.timezone} />
              </section>
            </div>
            <SavedTrial job={shown.job} />
            <Explain job={shown.job} />
            <Runs runs={shown.runs} />
          </div>
        )}
      </Shown>
    </>
  )
}

function Runs({ runs }: { readonly runs: readonly ExportRun[] }) {
  const { router } = useConsole()
  const open = router.query.value['run']
  return (
    <section>
      <h2>{t('exports.runs')}</h2>
      {runs.length === 0 && <p class="quiet">{t('exports.neverRun')}</p>}
      <ul class="lines">
        {runs.map((run) => (
          <li key={run.id} class={run.id === open ? 'chosen' : undefined}>
            <RunLine run={run} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function DeleteJob({ job: { id, name } }: { readonly job: ExportJob }) {
  const { call, cache, model, router, status } = useConsole()
  if (!model.may('exportJobs.write')) return null
  const remove = () =>
    cache.deleting(`exports job ${id}`, () => call('DELETE /api/v1/export-jobs/:id', { params: { id } }))
  const leave = () => {
    status.tell(t('exports.deleted', { name }))
    cache.refreshAll('exports jobs')
    router.go({ place: 'exports' })
  }
  return <DeleteButton name={name} help={t('exports.deleteHelp')} remove={remove} onDone={leave} />
}

/** The contents of the job's export, as facts without secrets. */
function JobFacts({ job }: { readonly job: ExportJob }) {
  const { cache, call, model } = useConsole()
  const takeOver = (id: string) => call('POST /api/v1/export-jobs/:id/take-over', { params: { id } })
  const renew = () => cache.refreshAll('exports ')
  const scope = model.scopeName(job.dimensionScope ?? {})
  return (
    <section>
      <h2>{t('exports.what')}</h2>
      {job.description !== '' && <p dir="auto">{job.description}</p>}
      <dl class="facts">
        <Fact name={t('schema')}>{job.schemaId === null ? t('all') : model.schemaName(job.schemaId)}</Fact>
        {job.catalogId !== null && <Fact name={t('exports.catalog')}>{catalogNameIn(model, job.catalogId)}</Fact>}
        <Fact name={t('form.states')}>
          {job.includeLifecycleStateIds === null
            ? t('all')
            : list(job.includeLifecycleStateIds.map((id) => stateNameIn(model, id)))}
        </Fact>
        <Fact name={t('scope.title')}>{scope === '' ? t('form.allScopes') : scope}</Fact>
        <Fact name={t('exports.file')}>
          {job.filenameTemplate} <span class="quiet">{fileKind(job)}</span>
        </Fact>
        <Fact name={t('owner.is')}>
          <Owner of={job} mayWrite={model.may('exportJobs.write')} takeOver={() => takeOver(job.id)} onTaken={renew} />
        </Fact>
        <Fact name={t('exports.destination')}>{job.destinationType}</Fact>
        {Object.entries(job.destinationConfig).map(([key, value]) => (
          <Fact key={key} name={titleOf(key)}>
            {isSecret(value) ? (
              <span class="quiet">{t('exports.isSet')}</span>
            ) : (
              textsIn(value).join(', ') || settingText(value)
            )}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

function isSecret(value: unknown): boolean {
  return textsIn(value).includes(SECRET_PLACEHOLDER)
}
