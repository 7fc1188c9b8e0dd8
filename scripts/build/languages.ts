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

/** Words as they stand in a built file. */
interface PackedWords {
  /** By the beginnings of their names, as `{ 'home.': { empty: … } }`: a beginning stands once in the file. */
  readonly groups: Readonly<Record<string, Words>>
  /** Words that have numbers in place of names, from `first` on. */
  readonly numbered: readonly Word[]
  readonly first: number
}

/** @param numbers those of words without names, in the order of the files */
export function packWords(words: Words, numbers: ReadonlyMap<string, number>): PackedWords {
  const groups: Record<string, Record<string, Word>> = {}
  for (const [name, word] of Object.entries(words)) {
    if (numbers.has(name)) continue
    const end = name.lastIndexOf('.') + 1
    const group = (groups[name.slice(0, end)] ??= {})
    group[name.slice(end)] = word
  }
  const own = [...numbers].filter(([name]) => Object.hasOwn(words, name))
  return { groups, numbered: own.map(([name]) => words[name]!), first: own[0]?.[1] ?? 0 }
}

/** The source of the function that undoes `packWords` for a module of words. */
export const UNPACK = `({ words: { groups, numbered, first } }) => ({ words: Object.fromEntries([
  ...Object.entries(groups).flatMap(([before, group]) => Object.entries(group).map(([name, word]) => [before + name, word])),
  ...numbered.map((word, at) => [first + at, word])]) })`
