// The languages of the console: the folders of its words. A new folder is a new language; nothing else names it.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ENGLISH } from '../../console/words/languages.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
export const WORDS_FOLDER = 'console/words'

export interface Spoken {
  readonly language: string
  /** The only text that is needed before words are loaded. */
  readonly notLoaded: string
}

/** English, then the others by their tags. @param root the checkout */
export function languagesIn(root = ROOT): readonly string[] {
  const entries = readdirSync(path.join(root, WORDS_FOLDER), { withFileTypes: true })
  const tags = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return [ENGLISH, ...tags.filter((tag) => tag !== ENGLISH).toSorted()]
}

export function readSpoken(root: string): Promise<readonly Spoken[]> {
  return Promise.all(
    languagesIn(root).map(async (language) => {
      const file = path.join(root, WORDS_FOLDER, language, 'start.ts')
      const { words } = (await import(pathToFileURL(file).href)) as { words: { readonly notLoaded: string } }
      return { language, notLoaded: words.notLoaded }
    }),
  )
}
