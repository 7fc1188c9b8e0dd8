// Home: where the catalogue stands. A number leads to exactly so many records.
import { PlaceHead } from '../kit/place-head.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'
import { FirstSteps } from './first-steps.tsx'

export function Home() {
  const { model } = useConsole()
  return (
    <>
      <PlaceHead title={t('place.home')} />
      <div class="page">
        {model.schemas.value.length === 0 && (
          <FirstSteps hasDimension={model.dimensions.value.length > 0} hasSchema={false} />
        )}
      </div>
    </>
  )
}
