// The parts of the place of people: users, roles, keys, messages.
import { PlaceNav } from '../kit/place-nav.tsx'
import { t } from '../words/place.ts'

export function PeopleNav() {
  return (
    <PlaceNav
      label={t('place.people')}
      parts={[
        { place: 'users', title: t('people.users') },
        { place: 'roles', title: t('people.roles') },
        { place: 'keys', title: t('people.keys') },
        { place: 'messenger', title: t('people.messenger') },
      ]}
    />
  )
}
