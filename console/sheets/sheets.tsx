// Templates of product sheets, and links to sheets that have not ended. Contract 5 §4.
import type { Endpoints } from '../api/types.ts'
import { Ago } from '../kit/ago.tsx'
import { LinkButton } from '../kit/button.tsx'
import { DeleteButton } from '../kit/deletion.tsx'
import { Checkbox } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'

type Link = Endpoints['GET /api/v1/sheet-links']['reply'][number]
type Template = Endpoints['GET /api/v1/sheet-templates']['reply'][number]

export function Sheets() {
  const { call, model, router } = useConsole()
  const mayWrite = model.may('exportJobs.write')
  const isAll = router.query.value['all'] !== undefined
  const query = useQuery(`sheets ${isAll}`, async (signal) => {
    const [templates, links] = await Promise.all([
      call('GET /api/v1/sheet-templates', { signal }),
      call('GET /api/v1/sheet-links', { signal, query: isAll ? { all: true } : {} }),
    ])
    return { templates: templates.body, links: links.body }
  })
  const add = (
    <LinkButton href={writeAddress({ place: 'sheets', id: 'new' })} kind="main" icon="add">
      {t('sheets.addTemplate')}
    </LinkButton>
  )
  return (
    <>
      <PlaceHead
        title={t('place.sheets')}
        above={model.may('exportJobs.read') ? { title: t('place.exports'), place: 'exports' } : undefined}
        actions={mayWrite && add}
      />
      <Shown query={query}>
        {({ templates, links }) => (
          <div class="page sections">
            <Templates templates={templates} mayWrite={mayWrite} />
            <Links links={links} isAll={isAll} />
          </div>
        )}
      </Shown>
    </>
  )
}

function Templates({ templates, mayWrite }: { readonly templates: readonly Template[]; readonly mayWrite: boolean }) {
  const { model } = useConsole()
  return (
    <section>
      <h2>{t('sheets.templates')}</h2>
      {templates.length === 0 && (
        <Empty icon="records" title={t('sheets.noTemplates')}>
          <p>{t('sheets.noTemplatesHelp')}</p>
        </Empty>
      )}
      <ul class="job-ledger sheet-ledger">
        {templates.map(({ id, name, schemaId }) => (
          <li key={id} class="job-line">
            {mayWrite ? (
              <a class="strong" dir="auto" href={writeAddress({ place: 'sheets', id })}>
                {name}
              </a>
            ) : (
              <span class="strong" dir="auto">
                {name}
              </span>
            )}
            <span class="quiet" dir="auto">
              {model.schemaName(schemaId)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Links({ links, isAll }: { readonly links: readonly Link[]; readonly isAll: boolean }) {
  const { model, router } = useConsole()
  return (
    <section>
      <h2>{t('sheets.links')}</h2>
      {model.may('users.manage') && (
        <Checkbox
          label={t('sheets.allLinks')}
          isChecked={isAll}
          onChange={(isOn) => router.setQuery({ all: isOn ? '1' : undefined })}
        />
      )}
      {links.length === 0 && (
        <Empty icon="link" title={t('sheets.noLinks')}>
          <p>{t('sheets.noLinksHelp')}</p>
        </Empty>
      )}
      <ul class="job-ledger sheet-ledger">
        {links.map((link) => (
          <LinkLine key={link.id} link={link} />
        ))}
      </ul>
    </section>
  )
}

function LinkLine({ link }: { readonly link: Link }) {
  const { call, cache } = useConsole()
  const { id, name, recordIds, expiresAt, visits, lastVisitAt } = link
  const shown = name.trim() === '' ? t('sheets.unnamed') : name
  return (
    <li class="job-line">
      <span class="strong" dir="auto">
        {shown}
      </span>
      <span class="quiet">
        {t('records', { count: recordIds.length })} · {t('sheets.until', { moment: moment(expiresAt) })}
      </span>
      <span class="quiet">
        {t('sheets.visits', { count: visits })}
        {lastVisitAt !== null && (
          <>
            {' · '}
            <Ago at={lastVisitAt} />
          </>
        )}
      </span>
      <div class="row end">
        <DeleteButton
          name={shown}
          label={t('sheets.endLink', { name: shown })}
          help={t('sheets.endHelp')}
          remove={() => call('DELETE /api/v1/sheet-links/:id', { params: { id } })}
          onDone={() => cache.refreshAll('sheets')}
        />
      </div>
    </li>
  )
}
