// A person as a disc with initials, with the name beside.
import { hueOf } from './hues.ts'

interface AvatarProps {
  readonly id: string
  readonly name: string
}

export function Avatar({ id, name }: AvatarProps) {
  return (
    <span class={`avatar hue-${hueOf(id)}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

export function Person({ id, name }: AvatarProps) {
  return (
    <span class="person">
      <Avatar id={id} name={name} />
      <span dir="auto">{name}</span>
    </span>
  )
}

/** `Ana María López` is `AL`, `admin` is `AD`. */
function initialsOf(name: string): string {
  const begins = name.match(/(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]/gu) ?? []
  const [first = '', second = ''] =
    begins.length > 1 ? [begins[0], begins.at(-1)] : (name.match(/[\p{L}\p{N}]/gu) ?? [])
  return (first + second).toLocaleUpperCase()
}
