// API keys: a new key is shown once, and the page then forgets it. Contract 2 §2.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { DeleteButton } from '../kit/deletion.tsx'
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
  const [isAdding, setAdding] = useState(false)
  const query = useQuery('people keys', async (signal) => {
    const [keys, roles] = await Promise.all([
      call('GET /api/v1/api-keys', { signal }),
      call('GET /api/v1/roles', { signal }),
    ])
    return { keys: keys.body, roles: roles.body }
  })
  const renew = () => cache.refreshAll('people keys')
  const add = (
    <Button kind="main" icon="add" onClick={() => setAdding(true)}>
      {t('people.addKey')}
    </Button>
  )
  return (
    <>
      <PlaceHead title={t('people.keys')} actions={query.data.value?.keys.length !== 0 && add}>
        <PeopleNav />
      </PlaceHead>
      <Shown query={query}>
        {({ keys, roles }) => (
          <>
            {keys.length === 0 && (
              <Empty icon="key" title={t('people.noKeys')} action={add}>
                <p>{t('people.noKeysHelp')}</p>
              </Empty>
            )}
            <ul class="job-ledger model-ledger">
              {keys.map((key) => (
                <KeyLine
                  key={key.id}
                  apiKey={key}
                  roleName={roles.find(({ id }) => id === key.roleId)?.name ?? key.roleId}
                  onRemoved={renew}
                />
              ))}
            </ul>
            {isAdding && <NewKeyDialog roles={roles} onDone={renew} onClose={() => setAdding(false)} />}
          </>
        )}
      </Shown>
    </>
  )
}

function KeyLine(props: { readonly apiKey: ApiKey; readonly roleName: string; readonly onRemoved: () => void }) {
  const { apiKey, roleName, onRemoved } = props
  const { id, name, expiresAt, lastUsedAt } = apiKey
  const { call } = useConsole()
  return (
    <li class="job-line">
      <span class="strong" dir="auto">
        {name} <code class="quiet">{id}</code>
      </span>
      <span dir="auto">{roleName}</span>
      <span class="quiet">
        {lastUsedAt === null ? t('people.neverUsed') : t('people.lastUsed', { day: day(lastUsedAt) })}
        {expiresAt !== null && ` · ${t('people.expires', { day: day(expiresAt) })}`}
      </span>
      <div class="row end">
        <DeleteButton
          name={name}
          label={t('remove', { name })}
          help={t('people.deleteKeyHelp')}
          remove={() => call('DELETE /api/v1/api-keys/:id', { params: { id } })}
          onDone={onRemoved}
        />
      </div>
    </li>
  )
}
