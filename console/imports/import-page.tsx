// One import, in four steps: the file, its columns, a rehearsal, the run. An import that is opened later shows its
// current state (I4). Contract 3 §4.
import { useEffect, useState } from 'preact/hooks'
import type { Call } from '../api/call.ts'
import { isAborted, Refusal } from '../api/failures.ts'
import { followJob } from '../jobs/follow-job.ts'
import { PlaceHead } from '../kit/place-head.tsx'
import { NoPermission, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import type { Query } from '../state/cache.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { isOver, type Job } from '../state/jobs.ts'
import type { ModelState } from '../state/model.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import { ImportSign } from './import-sign.tsx'
import { draftOf, type MappingDraft } from './mapping.ts'
import { ProposalStep } from './proposal-step.tsx'
import { RehearsalStep } from './rehearsal-step.tsx'
import { RunStep } from './run-step.tsx'
import { isGone, type SeenImport, type Step, STEPS } from './steps.ts'
import { type ZipDraft, withoutColumns, zipDraftOf } from './zip-draft.ts'
import { SheetChoice } from './warnings.tsx'
import { ZipStep } from './zip-step.tsx'

/** Number of latest jobs that the page reads; older jobs are in the list of jobs. */
const LOOKED_AT = 5

export function ImportPage() {
  const { call, model, router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const lacking = (['records.create', 'records.update'] as const).find((permission) => !model.may(permission))
  const query = useQuery<SeenImport>(`import ${id}`, async (signal) => {
    const seen = await readImport(call, id, signal)
    // The last job ended between the two answers. Nothing would trigger another read, so the import is read once more.
    const hasEnded = seen.found.status === 'running' && seen.jobs.every(isOver)
    return hasEnded ? readImport(call, id, signal) : seen
  })
  const seen = query.data.value
  useFollowed(query, seen?.jobs.at(-1))
  return (
    <>
      <PlaceHead title={seen?.found.fileName ?? id} above={{ title: t('place.imports'), place: 'imports' }}>
        {seen !== undefined && <ImportSign found={seen.found} />}
      </PlaceHead>
      {lacking !== undefined && <NoPermission permission={lacking} />}
      {lacking === undefined && (
        <Shown query={query} class="page imports" isLive>
          {(shown) => <Wizard key={shown.found.id} seen={shown} query={query} />}
        </Shown>
      )}
    </>
  )
}

async function readImport(call: Call, id: string, signal: AbortSignal): Promise<SeenImport> {
  const { body: found } = await call('GET /api/v1/imports/:id', { params: { id }, signal })
  const read = found.jobIds.slice(-LOOKED_AT).map((jobId) => readJob(call, jobId, signal))
  return { found, jobs: (await Promise.all(read)).flat() }
}

/** Reads a job; empty: the server does not have the job any more. */
async function readJob(call: Call, id: string, signal: AbortSignal): Promise<Job[]> {
  try {
    return [(await call('GET /api/v1/bulk-jobs/:id', { params: { id }, signal })).body]
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return []
    throw error
  }
}

/** Follows a running job, then reads everything again. */
function useFollowed(query: Query<SeenImport>, job: Job | undefined): void {
  const { call, model } = useConsole()
  const running = job !== undefined && !isOver(job) ? job : undefined
  useEffect(() => {
    if (running === undefined) return undefined
    const stop = new AbortController()
    const show = (next: Job) => {
      const { found, jobs } = query.data.peek()!
      query.put({ found, jobs: jobs.map((one) => (one.id === next.id ? next : one)) })
    }
    followJob(call, running, show, stop.signal)
      // The links of the result lead to the schema that the import has made.
      .then(() => (makesModel(query.data.peek()!) ? model.load() : undefined))
      .then(() => query.refresh())
      .catch((fault: Error) => {
        if (!isAborted(fault)) void query.refresh()
      })
    return () => stop.abort()
  }, [running?.id, query])
}

function Wizard({ seen, query }: { readonly seen: SeenImport; readonly query: Query<SeenImport> }) {
  const { model, router } = useConsole()
  const { found, jobs } = seen
  const isZip = found.format === 'zip'
  const attributes = (schemaId: string) => model.schema(schemaId)?.attributes ?? []
  const zip = useFormDraft<ZipDraft>(`zip ${found.id}`, zipDraftOf(found, model.schemas.value))
  const table = useFormDraft<MappingDraft>(`import ${found.id}`, draftOf(found, attributes))
  const draft = isZip ? { ...zip, value: withoutColumns(zip.value), put: () => undefined } : table
  const last = jobs.at(-1)
  const isRehearsed = last?.dryRun === true && last.status === 'succeeded' && !draft.isChanged
  const asked = STEPS.find((step) => step === router.query.value['step'])
  const step = asked ?? stepOf(seen)
  const goTo = (to: Step) => router.setQuery({ step: to }, { isStep: true })
  const isNew = makesSchema(found, router.query.value['schema'], model)
  const props = { ...seen, draft, query, goTo, rehearsal: isRehearsed ? last : undefined }
  return (
    <>
      <StepNav at={step} found={found} />
      {isGone(found) && <p class="warning">{t('imports.gone', { time: moment(found.expiresAt) })}</p>}
      {step === 'file' && <FileStep {...props} />}
      {step === 'columns' && found.status !== 'running' && <SheetChoice found={found} />}
      {step === 'columns' &&
        (isZip ? <ZipStep {...props} zip={zip} /> : isNew ? <ProposalStep {...props} /> : <ColumnsStep {...props} />)}
      {step === 'rehearsal' && <RehearsalStep {...props} />}
      {step === 'run' && <RunStep {...props} />}
    </>
  )
}

function makesModel({ found: { mapping } }: SeenImport): boolean {
  return mapping !== null && 'model' in mapping && mapping.model !== undefined
}

/** Returns whether the file makes a new schema. */
function makesSchema({ format, mapping }: SeenImport['found'], asked: string | undefined, model: ModelState): boolean {
  if ((format !== 'csv' && format !== 'xlsx') || !model.may('model.write') || asked === 'present') return false
  const planned = mapping !== null && 'model' in mapping ? mapping.model?.schemas : undefined
  const isPlanned = planned !== undefined && planned.some(({ id }) => model.schema(id) === undefined)
  return asked === 'new' || isPlanned || model.schemas.value.length === 0
}

function StepNav({ at, found }: { readonly at: Step; readonly found: SeenImport['found'] }) {
  const { router } = useConsole()
  const { format, sheet, sheets = [] } = found
  const nameOf = (step: Step) => {
    if (format === 'zip' && step === 'columns') return t('place.records')
    // The first sheet of a workbook may be a cover.
    const name = t(`imports.step.${step}`)
    return step === 'file' && sheets.length > 1 ? `${name}: ${sheet ?? sheets[0]}` : name
  }
  return (
    <nav class="steps" aria-label={t('imports.steps')}>
      <ol>
        {STEPS.map((step) => (
          <li key={step}>
            <a
              href={writeAddress({ place: 'imports', id: router.id.value, query: { step } })}
              aria-current={step === at ? 'step' : undefined}
            >
              {nameOf(step)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The step that a returning user sees. */
function stepOf({ found, jobs }: SeenImport): Step {
  const last = jobs.at(-1)
  if (last !== undefined) return last.dryRun ? 'rehearsal' : 'run'
  return found.status === 'done' ? 'run' : 'columns'
}
