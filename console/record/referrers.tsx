// Beside the form: the values that name the record. Contract 2 §3.
import { useState } from 'preact/hooks'
import type { Endpoints } from '../api/types.ts'
import { Icon } from '../kit/icon.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { pageOf, usePagedQuery } from '../state/paged-query.ts'
import { t } from '../words/place.ts'
import { recordKey } from './record-data.ts'
import { useRecord } from './use-record.ts'

type Referrer = Endpoints['GET /api/v1/records/:id/referrers']['reply']['items'][number]

const PAGE = 50

export function Referrers() {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label={t('record.referrers')}>
      <h2>
        <button type="button" class="disclosure" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'down' : 'right'} />
          {t('record.referrers')}
        </button>
      </h2>
      {isOpen && <ReferrerList />}
    </section>
  )
}

function ReferrerList() {
  const { call } = useConsole()
  const { form } = useRecord()
  const id = form.recordId
  const paged = usePagedQuery<Referrer>(recordKey(id, 'referrers'), async (after, signal) => {
    const query = { limit: PAGE, after }
    const { body, next } = await call('GET /api/v1/records/:id/referrers', { params: { id }, query, signal })
    return pageOf(body.items, PAGE, { next })
  })
  return (
    <Shown query={paged.query} isLive>
      {({ items }) => (
        <>
          {items.length === 0 && <p class="hint">{t('record.noReferrers')}</p>}
          <ul class="feeds">
            {items.map((referrer) => (
              <ReferrerLine key={JSON.stringify(referrer)} referrer={referrer} />
            ))}
          </ul>
          <MoreButton paged={paged} />
        </>
      )}
    </Shown>
  )
}

function ReferrerLine({ referrer }: { readonly referrer: Referrer }) {
  const { model } = useConsole()
  const { recordId, schemaId, attributeAlias, scope } = referrer
  const attribute = model.schemas.value.find(({ id }) => id === schemaId)?.rules.attribute(attributeAlias)
  const name = attribute === undefined ? attributeAlias : model.nameOf(attribute)
  const where = Object.keys(scope).length === 0 ? name : `${name}, ${model.scopeName(scope)}`
  return (
    <li>
      <div class="grow">
        <a href={writeAddress({ place: 'records', id: recordId })} dir="auto">
          {recordId}
        </a>
        <span class="quiet" dir="auto">
          {' '}
          {where}
        </span>
      </div>
    </li>
  )
}
