// Loads files of words. The build replaces these imports by one for each language (`scripts/build/chunks.ts`).
import type { Language, Words } from './languages.ts'

interface WordFile {
  readonly words: Words
}

export const loadStart = (language: Language) => import(`./${language}/start.ts`) as Promise<WordFile>
export const loadPlaces = (language: Language) => import(`./${language}/places.ts`) as Promise<WordFile>
