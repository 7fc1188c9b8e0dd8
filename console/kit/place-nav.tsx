// The parts of a place with several parts, as links beside its title.
import { useConsole } from '../state/context.ts'
import { writeAddress } from '../state/addresses.ts'

interface PlacePart {
  /** The first segment of the place's addresses. */
  readonly place: string
  readonly title: string
}

export function PlaceNav({ label, parts }: { readonly label: string; readonly parts: readonly PlacePart[] }) {
  const { router } = useConsole()
  const here = router.place.value
  return (
    <nav class="place-nav" aria-label={label}>
      {parts.map(({ place, title }) => (
        <a key={place} href={writeAddress({ place })} aria-current={place === here ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
