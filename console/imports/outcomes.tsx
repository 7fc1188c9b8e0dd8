// The outcome of a job on the file, real or rehearsed: figures, samples as differences, and refusals by column (I2).
import { useState } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { Differences, Refused } from '../jobs/differences.tsx'
import { Shown } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { Button } from '../kit/button.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import { type ColumnErrors, errorsByColumn } from './errors-by-column.ts'
import type { ColumnMapping, Import, MappingDraft } from './mapping.ts'

/** The most samples of each kind, and the most errors. */
const SAMPLES = 20
const ERRORS = 500

export function Outcomes({
  job,
  found,
  draft,
}: {
  readonly job: Job
  readonly found: Import
  readonly draft: MappingDraft
}) {
  const { call } = useConsole()
  const { id, status, dryRun, failed, created = 0, updated = 0 } = job
  const tabs = [
    { id: 'updated', title: dryRun ? t('home.changes') : t('form.changed'), count: updated },
    { id: 'created', title: dryRun ? t('imports.wouldCreate') : t('imports.created'), count: created },
    { id: 'failed', title: t('bulk.refused'), count: failed },
  ]
  // A person must look at the refusals, so they are open.
  const [open, setOpen] = useState(
    status === 'failed' || failed > 0 ? 'failed' : (tabs.find(({ count }) => count > 0)?.id ?? 'updated'),
  )
  const query = useQuery(`bulk ${id} outcomes`, async (signal) => {
    const samples = (outcome: 'created' | 'updated') =>
      call('GET /api/v1/bulk-jobs/:id/samples', { params: { id }, query: { outcome, limit: SAMPLES }, signal })
    const [changed, made, errors] = await Promise.all([
      samples('updated'),
      samples('created'),
      call('GET /api/v1/bulk-jobs/:id/errors', { params: { id }, query: { limit: ERRORS }, signal }),
    ])
    return { updated: changed.body, created: made.body, errors: errors.body }
  })
  const headers = found.columns.map(({ header }) => header)
  const isFetched = (header: string) => draft.columns[headers.indexOf(header)]?.steps.includes('fetch') === true
  return (
    <Shown query={query} isLive>
      {(seen) => {
        const samples = open === 'created' ? seen.created : seen.updated
        const count = open === 'created' ? created : updated
        return (
          <Tabs label={t('bulk.outcomes')} tabs={tabs} open={open} onOpen={setOpen}>
            {open === 'failed' ? (
              <ErrorList
                found={errorsByColumn(seen.errors, headers, draft.columns)}
                read={seen.errors.length}
                total={failed}
                isFetched={dryRun ? () => false : isFetched}
              />
            ) : (
              <>
                <Differences
                  samples={samples}
                  schemaId={draft.schemaId}
                  planned={plannedAttributes(found)}
                  isNew={dryRun && open === 'created'}
                />
                {count > samples.length && (
                  <p class="hint">{t('bulk.firstOf', { shown: samples.length, total: count })}</p>
                )}
                {count === 0 && <p class="quiet">{t('imports.nothing')}</p>}
              </>
            )}
          </Tabs>
        )
      }}
    </Shown>
  )
}

/** Returns the attributes of the schema that a run would make; texts of values need only their types and options. */
function plannedAttributes({ mapping }: Import) {
  const { model } = (mapping ?? {}) as Partial<ColumnMapping>
  return model?.schemas[0]?.attributes?.map((one) => ({ options: [], ...one })) as readonly Attribute[] | undefined
}

function ErrorList(props: {
  readonly found: readonly ColumnErrors[]
  readonly read: number
  readonly total: number
  /** Whether the server fetched files from the addresses in the column of the header. */
  readonly isFetched: (header: string) => boolean
}) {
  const { found, read, total, isFetched } = props
  const [only, setOnly] = useState<string | undefined>(undefined)
  const shown = found.filter(({ header }) => only === undefined || header === only)
  if (found.length === 0) return <p class="quiet">{t('imports.nothing')}</p>
  return (
    <>
      <div class="row error-columns" role="group" aria-label={t('imports.errorsByColumn')}>
        {found.map(({ header, errors }) => (
          <Button
            key={header}
            isPressed={only === header}
            onClick={() => setOnly(only === header ? undefined : header)}
          >
            {t('imports.errorsOf', { column: header === '' ? t('imports.row') : header, count: errors.length })}
          </Button>
        ))}
      </div>
      {shown.some(({ header }) => isFetched(header)) && <p class="warning">{t('imports.fetchAdvice')}</p>}
      <Refused errors={shown.flatMap(({ errors }) => errors)} />
      {read < total && <p class="hint">{t('bulk.firstOf', { shown: read, total })}</p>}
    </>
  )
}
