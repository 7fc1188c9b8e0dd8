// A person as a disc with initials, with the name beside.

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

/** The number of hues, which distinguish neighbours and never carry meaning alone. */
const HUES = 6

/** Returns the same hue for the same text: from 0 to 5, as `.hue-0` in the styles. */
function hueOf(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 65_521
  return sum % HUES
}
