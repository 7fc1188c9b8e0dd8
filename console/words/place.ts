// The `t` of places, which knows all words: every place except the start waits until they are loaded.
import { type PlaceWords, say, type Say } from './words.ts'

export const t: Say<PlaceWords> = say
