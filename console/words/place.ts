// The `t` of places, which knows all words: no place but the start is shown before they are loaded.
import { type PlaceWords, say, type Say } from './words.ts'

export const t: Say<PlaceWords> = say
