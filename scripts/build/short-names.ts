// Short names of words: in the built console, a word that code names only as `t('records.filter')` has a number, which
// stands in place of its name in the code and in the files of words.
import type { Plugin } from 'esbuild'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ENGLISH, PARTS } from '../../console/words/languages.ts'
import { readWords } from './languages.ts'

const SOURCES = 'console/**/*.{ts,tsx}'
/** The texts of a language. */
const TEXTS = /console[\\/]words[\\/][\w-]+[\\/]/
/** A name that stands as it is. */
const NAMED = /\bt\('([\w.-]+)'/g
/** Any text that may be a name. */
const WRITTEN = /(\bt\()?(['"`])([\w.-]+)\2/g
/** The beginning of a computed name, and the end of one that begins with a hole. */
const BEGINNING = /`([\w.-]+)\$\{/g
const END = /`\$\{[^`}]*\}([\w.-]+)`/g

/** The numbers by the names of words. @param root the checkout */
export async function shortNames(root: string): Promise<ReadonlyMap<string, number>> {
  const files = await Promise.all(PARTS.map((part) => readWords(root, `${ENGLISH}-${part}`)))
  const texts = sourcesIn(root).map((file) => readFileSync(file, 'utf8'))
  const isComputed = computedIn(texts)
  const others = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(WRITTEN)].flatMap(([, call, , name]) => (call === undefined ? name! : [])),
    ),
  )
  const named = new Set(texts.flatMap((text) => [...text.matchAll(NAMED)].map(([, name]) => name!)))
  const names = files.flatMap((words) => Object.keys(words))
  const short = names.filter((name) => named.has(name) && !others.has(name) && !isComputed(name))
  return new Map(short.map((name, at) => [name, at]))
}

/** The sources that say words, from the root. */
const sourcesIn = (root: string): string[] =>
  globSync(SOURCES, { cwd: root }).flatMap((file) => (TEXTS.test(file) ? [] : [path.join(root, file)]))

/** Whether a template makes the name, or may make it. */
function computedIn(texts: readonly string[]): (name: string) => boolean {
  const found = (pattern: RegExp) => texts.flatMap((text) => [...text.matchAll(pattern)].map(([, part]) => part!))
  const [beginnings, ends] = [found(BEGINNING), found(END)]
  return (name) => beginnings.some((part) => name.startsWith(part)) || ends.some((part) => name.endsWith(part))
}

/** Puts the numbers in place of the names in code. */
export function numberedWords(root: string, numbers: Promise<ReadonlyMap<string, number>>): Plugin {
  return {
    name: 'numbered-words',
    setup(build) {
      build.onLoad({ filter: /[\\/]console[\\/].*\.tsx?$/, namespace: 'file' }, async ({ path: file }) => {
        if (TEXTS.test(path.relative(root, file))) return undefined
        const known = await numbers
        const contents = readFileSync(file, 'utf8').replaceAll(NAMED, (call, name: string) =>
          known.has(name) ? `t(${known.get(name)}` : call,
        )
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}
