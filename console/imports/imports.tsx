// Imports: the upload of a new file, and earlier imports. Contract 3 §4.

import { Button } from '../kit/button.tsx'
import { DeleteButton } from '../kit/deletion.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, NoPermission, Shown } from '../kit/states.tsx'
import { byteText } from '../fields/measures.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { pageOf, usePagedQuery } from '../state/paged-query.ts'
import { usePeople } from '../state/people.ts'
import type { Endpoints } from '../api/types.ts'
import { t } from '../words/place.ts'
import { ago, moment, number } from '../words/words.ts'
import { FileDrop } from './file-drop.tsx'
import { ImportSign } from './import-sign.tsx'
import { useUpload } from './use-upload.ts'

type Summary = Endpoints['GET /api/v1/imports']['reply'][number]

const PAGE = 50

export function Imports() {
  const { model } = useConsole()
  const lacking = (['records.create', 'records.update'] as const).find((permission) => !model.may(permission))
  return (
    <>
      <PlaceHead title={t('place.imports')} />
      {lacking === undefined ? <ImportList /> : <NoPermission permission={lacking} />}
    </>
  )
}

function ImportList() {
  const { call } = useConsole()
  const upload = useUpload()
  const imports = usePagedQuery<Summary>('imports', async (after, signal) => {
    const offset = Number(after ?? 0)
    const query = { limit: PAGE, offset }
    const { body } = await call('GET /api/v1/imports', { query, signal })
    return pageOf(body, PAGE, { next: String(offset + body.length) })
  })
  return (
    <div class="page imports">
      <FileDrop upload={upload} />
      <Shown query={imports.query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="imports" title={t('imports.none')}>
              <p>{t('imports.noneHelp')}</p>
            </Empty>
          ) : (
            <section>
              <h2>{t('imports.history')}</h2>
              <ul class="job-ledger import-ledger">
                {items.map((found) => (
                  <ImportLine key={found.id} found={found} />
                ))}
              </ul>
              <MoreButton paged={imports} />
            </section>
          )
        }
      </Shown>
    </div>
  )
}

function ImportLine({ found }: { readonly found: Summary }) {
  const { browser, cache, call, model } = useConsole()

  const nameOf = usePeople()
  const { id, fileName, size, createdBy, createdAt, status } = found
  return (
    <li class="job-line">
      <div class="job-what">
        <a class="strong" href={writeAddress({ place: 'imports', id })} dir="auto">
          {fileName}
        </a>
        <span class="quiet">{byteText(size, number)}</span>
      </div>
      <ImportSign found={found} />
      <span class="quiet">
        {createdBy !== model.me.value?.id && `${nameOf(createdBy)}, `}
        <time dateTime={createdAt} title={moment(createdAt)}>
          {ago(createdAt, browser.now())}
        </time>
      </span>
      {status === 'running' ? (
        <Button
          kind="quiet"
          icon="delete"
          label={t('remove', { name: fileName })}
          closedBecause={t('imports.runsStill')}
        />
      ) : (
        <DeleteButton
          name={fileName}
          label={t('remove', { name: fileName })}
          help={t('imports.removeHelp')}
          remove={() => call('DELETE /api/v1/imports/:id', { params: { id } })}
          onDone={() => cache.refreshAll('imports')}
        />
      )}
    </li>
  )
}
