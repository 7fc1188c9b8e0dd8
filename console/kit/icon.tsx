// An icon of 16 pixels. It says nothing to a screen reader: what it means stands beside it, or in the name of its button.
import { type IconName, ICONS } from './icons.ts'

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}
