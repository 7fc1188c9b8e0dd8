// The `t` of places, which knows all words: every place except the start waits until they are loaded.
import { type PlaceWords, say, type Say } from './words.ts'

export const t: Say<PlaceWords> = say

type Name = keyof PlaceWords
type Hinted = { [Label in Name]: `hint.${Label}` extends Name ? Label : never }[Name]

/** The label of a field, and its hint, which mostly has the name of the label. */
export function hinted<Label extends Name>(
  label: Label,
  ...[hint]: Label extends Hinted ? [hint?: Name] : [hint: Name]
): { readonly label: string; readonly hint: string } {
  return { label: say(label), hint: say(hint ?? `hint.${label}`) }
}
