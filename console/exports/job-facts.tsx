// The contents of a job's export, as facts; secrets are not among them.
import type { ComponentChildren } from 'preact'
import { SECRET_PLACEHOLDER, textsIn } from '../../src/kernel/secrets/secret-fields.ts'
import { Owner } from '../kit/owner.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { list } from '../words/words.ts'
import { titleOf } from './config-fields.ts'
import { type ExportJob, fileKind } from './job-draft.ts'
import { catalogNameIn, stateNameIn } from './rule-names.ts'

export function JobFacts({ job }: { readonly job: ExportJob }) {
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
              String(textsIn(value).join(', ') || value)
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
