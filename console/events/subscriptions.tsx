// Subscriptions: their receivers, and the state of each. Contract 3 §6.
import { LinkButton } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { Standing } from './standing.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { useRenewed } from '../state/use-renewed.ts'

export function Subscriptions() {
  const { router } = useConsole()
  return router.query.value['new'] === undefined ? <SubscriptionList /> : <SubscriptionForm found={undefined} />
}

function SubscriptionList() {
  const query = useRead('subscriptions', 'GET /api/v1/subscriptions')
  useRenewed(query)
  const add = (
    <LinkButton href={writeAddress({ place: 'subscriptions', query: { new: '1' } })} kind="main" icon="add">
      {t('events.add')}
    </LinkButton>
  )
  return (
    <>
      <PlaceHead title={t('place.subscriptions')} actions={add} />
      <Shown query={query} isLive>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="link" title={t('events.none')} action={add}>
              <p>{t('events.noneHelp')}</p>
            </Empty>
          ) : (
            <ul class="job-ledger event-ledger">
              {found.map((one) => (
                <li key={one.id} class="job-line">
                  <div class="job-what">
                    <a class="strong" href={writeAddress({ place: 'subscriptions', id: one.id })} dir="auto">
                      {one.name}
                    </a>
                    <span class="quiet">{one.url}</span>
                  </div>
                  <Standing found={one} />
                  <span class="quiet">{one.events.map((event) => t(`events.of.${event}`)).join(', ')}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}
