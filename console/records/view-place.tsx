// The address of a view, `/console/views/:id`: it redirects to the sheet as the view describes. G10.
import { useEffect, useState } from 'preact/hooks'
import { Refusal } from '../api/failures.ts'
import { LinkButton } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, ErrorBox, LoadingLine } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { addressOf } from './views-menu.tsx'

export function ViewPlace() {
  const { call, router } = useConsole()
  const [error, setError] = useState<Error | undefined>(undefined)
  const [id] = useState(router.id.peek())
  useEffect(() => {
    if (id === null) return undefined
    const stop = new AbortController()
    call('GET /api/v1/saved-queries/:id', { params: { id }, signal: stop.signal }).then(
      ({ body }) => router.replace({ place: 'records', id: null, query: addressOf(body) }),
      (failure: unknown) => {
        if (!stop.signal.aborted) setError(failure as Error)
      },
    )
    return () => stop.abort()
  }, [id])
  if (error === undefined) return <LoadingLine isBusy />
  return (
    <>
      <PlaceHead title={t('place.records')} />
      {error instanceof Refusal && error.status === 404 ? (
        <Empty
          icon="search"
          title={t('records.viewGone')}
          action={
            <LinkButton href={writeAddress({ place: 'records' })} kind="main">
              {t('records.viewNone')}
            </LinkButton>
          }
        />
      ) : (
        <ErrorBox error={error} />
      )}
    </>
  )
}
