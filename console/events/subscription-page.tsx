// One subscription: state, deliveries, test, pause, resume, and going back to a place in the feed. Contract 3 §6.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { DeleteButton } from '../kit/deletion.tsx'
import { CopyText } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { Owner } from '../kit/owner.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { Form } from '../kit/form.tsx'
import type { Endpoints } from '../api/types.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import { hinted, t } from '../words/place.ts'
import { moment, number } from '../words/words.ts'
import { Standing } from './standing.tsx'
import { bodyOf, draftOf, standingOf, type Subscription } from './subscription.ts'
import { SubscriptionForm } from './subscription-form.tsx'
import { useRenewed } from '../state/use-renewed.ts'

type Delivery = Endpoints['GET /api/v1/subscriptions/:id/deliveries']['reply'][number]
const SIGNS = { succeeded: 'good', retrying: 'wait', failed: 'bad' } as const

export function SubscriptionPage() {
  const { call, router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const query = useQuery(`subscription ${id}`, async (signal) => {
    const [found, deliveries] = await Promise.all([
      call('GET /api/v1/subscriptions/:id', { params: { id }, signal }),
      call('GET /api/v1/subscriptions/:id/deliveries', { params: { id }, signal }),
    ])
    return { found: found.body, deliveries: deliveries.body }
  })
  useRenewed(query)
  const found = query.data.value?.found
  if (found !== undefined && router.query.value['edit'] !== undefined) return <SubscriptionForm found={found} />
  return (
    <>
      <PlaceHead
        title={found?.name ?? id}
        above={{ title: t('place.subscriptions'), place: 'subscriptions' }}
        actions={found !== undefined && <Actions found={found} renew={() => void query.refresh()} />}
      />
      <Shown query={query} isLive>
        {(seen) => (
          <div class="page sections">
            <section>
              <p>
                <Standing found={seen.found} />
              </p>
              {standingOf(seen.found) === 'failing' && (
                <p class="warning">{t('events.failingHelp', { now: t('events.tryNow') })}</p>
              )}
              <p class="quiet">{seen.found.url}</p>
              <p>
                <span class="quiet">{t('owner.is')}</span>{' '}
                <OwnerOf found={seen.found} renew={() => void query.refresh()} />
              </p>
              <p>{seen.found.events.map((event) => t(`events.of.${event}`)).join(', ')}</p>
              <p>
                {t('events.cursor')} <CopyText text={seen.found.cursor} />
              </p>
            </section>
            <section>
              <h2>{t('events.deliveries')}</h2>
              {seen.deliveries.length === 0 && <p class="quiet">{t('events.noDeliveries')}</p>}
              <ul class="lines">
                {seen.deliveries.map((delivery) => (
                  <li key={delivery.id}>
                    <DeliveryLine delivery={delivery} />
                  </li>
                ))}
              </ul>
            </section>
          </div>
        )}
      </Shown>
    </>
  )
}

function OwnerOf({ found, renew }: { readonly found: Subscription; readonly renew: () => void }) {
  const { call } = useConsole()
  const takeOver = () => call('POST /api/v1/subscriptions/:id/take-over', { params: { id: found.id } })
  return <Owner of={found} mayWrite takeOver={takeOver} onTaken={renew} />
}

function DeliveryLine({ delivery }: { readonly delivery: Delivery }) {
  const { status, at, attempts, responseStatus, durationMs, error, cursor } = delivery
  const facts = [
    responseStatus === null ? '' : String(responseStatus),
    `${number(durationMs)} ms`,
    attempts > 1 ? t('form.attempts', { count: attempts }) : '',
    error ?? '',
  ]
  return (
    <div class="run-line">
      <span class={`run-state ${SIGNS[status]}`}>
        <Icon name={SIGNS[status]} />
        {t(`events.delivery.${status}`)}
      </span>
      <span>{moment(at)}</span>
      <span class="quiet" dir="auto">
        {facts.filter(Boolean).join(' · ')}
      </span>
      <CopyText text={cursor}>{t('events.cursorShort')}</CopyText>
    </div>
  )
}

function Actions({ found, renew }: { readonly found: Subscription; readonly renew: () => void }) {
  const { call, cache, router, status } = useConsole()
  const { isBusy, act } = useActing()
  const [isReplaying, setReplaying] = useState(false)
  const params = { id: found.id }
  const test = async () => {
    const { body } = await call('POST /api/v1/subscriptions/:id/test', { params })
    const answer = String(body.responseStatus ?? body.error ?? '')
    if (body.ok) status.tell(t('events.testGood', { answer }))
    else status.complain(t('events.testBad', { answer }))
  }
  const pause = () =>
    call('PUT /api/v1/subscriptions/:id', { params, body: { ...bodyOf(draftOf(found), {}), active: false } })
  const resume = () => call('POST /api/v1/subscriptions/:id/resume', { params, idempotencyKey: newKey() })
  const remove = () =>
    cache.deleting(`subscription ${found.id}`, () => call('DELETE /api/v1/subscriptions/:id', { params }))
  const leave = () => {
    cache.refreshAll('subscriptions')
    router.go({ place: 'subscriptions' })
  }
  const doing = (work: () => Promise<unknown>) => () => void act(work).then(renew)
  return (
    <>
      <Button isBusy={isBusy} onClick={doing(test)}>
        {t('events.test')}
      </Button>
      {found.active && (
        <Button isBusy={isBusy} onClick={doing(pause)}>
          {t('form.pause')}
        </Button>
      )}
      {(!found.active || found.failingSince !== null) && (
        <Button isBusy={isBusy} onClick={doing(resume)}>
          {found.active ? t('events.tryNow') : t('form.resume')}
        </Button>
      )}
      <Button isBusy={isBusy} onClick={() => setReplaying(true)}>
        {t('events.replay')}
      </Button>
      <LinkButton href={writeAddress({ place: 'subscriptions', id: found.id, query: { edit: '1' } })}>
        {t('edit')}
      </LinkButton>
      <DeleteButton name={found.name} help={t('events.deleteHelp')} remove={remove} onDone={leave} />
      {isReplaying && <Replay id={found.id} onDone={renew} onClose={() => setReplaying(false)} />}
    </>
  )
}

function Replay(props: { readonly id: string; readonly onDone: () => void; readonly onClose: () => void }) {
  const { call, status } = useConsole()
  const { isBusy, act } = useActing()
  const [after, setAfter] = useState('')
  const go = (cursor: string) =>
    void act(async () => {
      await call('POST /api/v1/subscriptions/:id/replay', { params: { id: props.id }, body: { after: cursor } })
      status.tell(t('events.replayed'))
      props.onClose()
    }).then(props.onDone)
  return (
    <Dialog guide="console#subscriptions" title={t('events.replay')} onClose={props.onClose}>
      <Form class="form" onSubmit={() => go(after.trim())}>
        <TextField {...hinted('events.after', 'events.afterHelp')} value={after} hasFocus onInput={setAfter} />
        <div class="row end">
          <Button isBusy={isBusy} onClick={() => go('latest')}>
            {t('events.latest')}
          </Button>
          <Button
            type="submit"
            kind="main"
            isBusy={isBusy}
            closedBecause={after.trim() === '' ? t('events.cursorFirst') : undefined}
          >
            {t('events.replayFrom')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
