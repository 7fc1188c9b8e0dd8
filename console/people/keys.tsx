// API keys: a new key is shown once, and the page then forgets it. Contract 2 §2.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { day } from '../words/words.ts'
import { NewKeyDialog } from './new-key.tsx'
import { PeopleNav } from './people-nav.tsx'

type ApiKey = Endpoints['GET /api/v1/api-keys']['reply'][number]

export function ApiKeys() {
  const { call, cache } = useConsole()
  const { isBusy, act } = useActing()
  const [open, setOpen] = useState<ApiKey | 'new' | undefined>(undefined)
  const query = useQuery('people keys', async (signal) => {
    const [keys, roles] = await Promise.all([
      call('GET /api/v1/api-keys', { signal }),
      call('GET /api/v1/roles', { signal }),
    ])
    return { keys: keys.body, roles: roles.body }
  })
  const renew = () => cache.refreshAll('people keys')
  const remove = (key: ApiKey) =>
    act(() => call('DELETE /api/v1/api-keys/:id', { params: { id: key.id } })).then(() => {
      setOpen(undefined)
      renew()
    })
  const add = (
    <Button kind="main" icon="add" onClick={() => setOpen('new')}>
      {t('people.addKey')}
    </Button>
  )
  return (
    <>
      <PlaceHead title={t('people.keys')} actions={add}>
        <PeopleNav />
      </PlaceHead>
      <Shown query={query}>
        {({ keys, roles }) => (
          <>
            {keys.length === 0 && (
              <Empty icon="key" title={t('people.noKeys')}>
                <p>{t('people.noKeysHelp')}</p>
              </Empty>
            )}
            <ul class="plain job-ledger model-ledger">
              {keys.map((key) => (
                <KeyLine
                  key={key.id}
                  apiKey={key}
                  roleName={roles.find(({ id }) => id === key.roleId)?.name ?? key.roleId}
                  onRemove={() => setOpen(key)}
                />
              ))}
            </ul>
            {open === 'new' && <NewKeyDialog roles={roles} onDone={renew} onClose={() => setOpen(undefined)} />}
            {open !== undefined && open !== 'new' && (
              <Confirm
                title={t('people.deleteKey', { name: open.name })}
                action={t('delete')}
                isBusy={isBusy}
                onYes={() => void remove(open)}
                onClose={() => setOpen(undefined)}
              >
                <p>{t('people.deleteKeyHelp')}</p>
              </Confirm>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

function KeyLine(props: { readonly apiKey: ApiKey; readonly roleName: string; readonly onRemove: () => void }) {
  const { apiKey, roleName, onRemove } = props
  const { expiresAt, lastUsedAt } = apiKey
  return (
    <li class="job-line">
      <span class="strong" dir="auto">
        {apiKey.name} <code class="quiet">{apiKey.id}</code>
      </span>
      <span dir="auto">{roleName}</span>
      <span class="quiet">
        {lastUsedAt === null ? t('people.neverUsed') : t('people.lastUsed', { day: day(lastUsedAt) })}
        {expiresAt !== null && ` · ${t('people.expires', { day: day(expiresAt) })}`}
      </span>
      <div class="row end">
        <Button kind="quiet" icon="delete" label={t('remove', { name: apiKey.name })} onClick={onRemove} />
      </div>
    </li>
  )
}
