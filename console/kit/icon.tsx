// An icon of 16 pixels, hidden from screen readers: a text beside it, or the name of its button, gives the meaning.
import { type IconName, ICONS } from './icons.ts'

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}
