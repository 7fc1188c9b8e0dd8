// The languages of the console: the folders of its words. A new folder is a new language; nothing else names it.
import { build } from 'esbuild'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ENGLISH, type Word, type Words } from '../../console/words/languages.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WORDS_FOLDER = 'console/words'

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

/** The files of words, from the root. */
export function wordSources(root: string): readonly string[] {
  const filesOf = (language: string) => readdirSync(path.join(root, WORDS_FOLDER, language))
  return languagesIn(root).flatMap((language) => filesOf(language).map((file) => `${WORDS_FOLDER}/${language}/${file}`))
}

/** The words of a built file, as they are now: an imported module would stay as it was. @param name such as `de-places` */
export async function readWords(root: string, name: string): Promise<Words> {
  const file = path.join(root, WORDS_FOLDER, `${name.replace('-', '/')}.ts`)
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, write: false, format: 'esm' })
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`
  return ((await import(url)) as { words: Words }).words
}

/** The words by the beginnings of their names, as `{ 'home.': { empty: … } }`: a beginning stands once in the file. */
export function groupedWords(words: Words): Readonly<Record<string, Words>> {
  const groups: Record<string, Record<string, Word>> = {}
  for (const [name, word] of Object.entries(words)) {
    const end = name.lastIndexOf('.') + 1
    const group = (groups[name.slice(0, end)] ??= {})
    group[name.slice(end)] = word
  }
  return groups
}

/** The source of the function that undoes `groupedWords` for a module of words. */
export const UNGROUP = `({ words }) => ({ words: Object.fromEntries(Object.entries(words).flatMap(([before, group]) =>
  Object.entries(group).map(([name, word]) => [before + name, word]))) })`
