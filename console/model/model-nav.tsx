// The parts of the model: schemas, dimensions, workflows.
import { PlaceNav } from '../kit/place-nav.tsx'
import { t } from '../words/place.ts'

export function ModelNav() {
  return (
    <PlaceNav
      label={t('place.model')}
      parts={[
        { place: 'schemas', title: t('model.schemas') },
        { place: 'dimensions', title: t('model.dimensions') },
        { place: 'workflows', title: t('model.workflows') },
      ]}
    />
  )
}
