// All workflows, and a new one. Contract 2 §3.
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { ModelNav } from './model-nav.tsx'

export function Workflows() {
  const { call, cache, model, router } = useConsole()
  const { isBusy, act } = useActing()
  const query = useRead('model workflows', 'GET /api/v1/workflows')
  const add = () =>
    act(async () => {
      const states = [{ id: 'state-draft', name: t('model.firstState') }]
      const body = { name: t('model.newWorkflow'), initialStateId: 'state-draft', states }
      const answer = await call('POST /api/v1/workflows', { body })
      await model.load()
      cache.refreshAll('model workflows')
      router.go({ place: 'workflows', id: answer.body.id })
    })
  return (
    <>
      <PlaceHead
        title={t('model.workflows')}
        actions={
          model.may('model.write') && (
            <Button kind="main" icon="add" isBusy={isBusy} onClick={add}>
              {t('model.addWorkflow')}
            </Button>
          )
        }
      >
        <ModelNav />
      </PlaceHead>
      <Shown query={query}>
        {(workflows) => (
          <ul class="job-ledger model-ledger">
            {workflows.map(({ id, name, states, transitions }) => (
              <li key={id} class="job-line">
                <a class="strong" href={writeAddress({ place: 'workflows', id })} dir="auto">
                  {name}
                </a>
                <code class="quiet">{id}</code>
                <span>{t('model.stateCount', { count: states.length })}</span>
                <span>{t('model.transitionCount', { count: transitions.length })}</span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </>
  )
}
