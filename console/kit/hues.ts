// Hues that tell neighbours apart, and never carry meaning alone.
const HUES = 6

/** Returns the same hue for the same text: from 0 to 5, as `.hue-0` in the styles. */
export function hueOf(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 65_521
  return sum % HUES
}
