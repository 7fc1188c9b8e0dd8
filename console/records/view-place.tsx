// The address of a view, `/console/views/:id`: it redirects to the sheet that the view describes. G10.
import { useEffect, useState } from 'preact/hooks'
import { Refusal } from '../api/failures.ts'
import { NothingThere, PlaceHead } from '../kit/place-head.tsx'
import { ErrorBox, LoadingLine } from '../kit/states.tsx'
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
  if (error instanceof Refusal && error.status === 404)
    return (
      <NothingThere title={t('place.records')} says={t('records.viewGone')} next={['records', t('records.viewNone')]} />
    )
  return (
    <>
      <PlaceHead title={t('place.records')} />
      <ErrorBox error={error} />
    </>
  )
}
