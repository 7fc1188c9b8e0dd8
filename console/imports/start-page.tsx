// The ways to begin, in a workspace that is not empty.
import { PlaceHead } from '../kit/place-head.tsx'
import { t } from '../words/place.ts'
import { Welcome } from './welcome.tsx'

export function StartPage() {
  return (
    <>
      <PlaceHead title={t('start.addSchema')} above={{ title: t('model.schemas'), place: 'schemas' }} />
      <Welcome />
    </>
  )
}
