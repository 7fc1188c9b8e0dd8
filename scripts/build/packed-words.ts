// Packs the words of the console as they are bundled: the texts of a language in one, and numbers in place of names wherever the code
// says the whole name to `t`. Names and the marks around them weigh as much as the texts of a place otherwise. In the sources they
// stay as they are.
import type { Plugin } from 'esbuild'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { packTexts } from '../../console/words/packed.ts'
import type { Words } from '../../console/words/words.ts'

/** Where the names of a file of words come from, which no language has for itself. */
export const NAMES = 'names'
const PACKED = 'console/words/packed.ts'
/** A word that is said by its whole name. */
const SAID = /\bt\(\s*'([\w.-]+)'/g
/** What names may be made of in other ways: strings, and beginnings of them. */
const STRING = /'([\w.-]+)'/g
const BEGINNING = /`([\w-]+\.[\w.-]*)\$\{/g

/** Words of one file, in the order in which they are packed. */
interface Packing {
  readonly names: readonly string[]
  /** How many of them, the first ones, keep their names. */
  readonly named: number
  /** Of the first that is a number; the others follow. */
  readonly first: number
}

export function packedWords(root: string): Plugin {
  const folder = path.join(root, 'console/words')
  return {
    name: 'packed-words',
    setup(build) {
      let packings: ReadonlyMap<string, Packing>
      let numbers: ReadonlyMap<string, number>
      build.onStart(async () => {
        packings = await planPackings(root, folder)
        numbers = new Map([...packings.values()].flatMap(numbersOf))
      })
      build.onResolve({ filter: new RegExp(`^${NAMES}:`) }, ({ path: name }) => ({
        path: name.slice(NAMES.length + 1),
        namespace: NAMES,
      }))
      build.onLoad({ filter: /.*/, namespace: NAMES }, ({ path: file }) => {
        const { names, named, first } = packings.get(file)!
        return {
          contents: `export const names = ${JSON.stringify(names.slice(0, named).join('\n'))}, first = ${first - named}`,
        }
      })
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        const from = path.basename(file)
        if (isIn(folder, file) && path.dirname(file) !== folder) {
          const { name, words } = await readWords(file)
          const texts = JSON.stringify(packTexts(packings.get(from)!.names, words))
          const contents = `import { unpackTexts } from './${PACKED}'
            import { names, first } from '${NAMES}:${from}'
            export const ${name} = /* @__PURE__ */ unpackTexts(names, first, ${texts})`
          return { contents, resolveDir: root }
        }
        // What begins the console says nothing itself.
        if (!isIn(path.dirname(folder), file) || from === 'main.tsx') return undefined
        const contents = (await readFile(file, 'utf8')).replaceAll(SAID, (said: string, name: string) => {
          const number = numbers.get(name)
          return number === undefined ? said : said.replace(`'${name}'`, String(number))
        })
        return { contents, loader: from.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

const isIn = (folder: string, file: string): boolean => file.startsWith(folder + path.sep)

function numbersOf({ names, named, first }: Packing): [string, number][] {
  return names.slice(named).map((name, at) => [name, first + at])
}

async function planPackings(root: string, folder: string): Promise<ReadonlyMap<string, Packing>> {
  const keepsName = await findNamed(path.join(root, 'console'))
  const packings = new Map<string, Packing>()
  let first = 0
  for (const file of (await readdir(path.join(folder, 'en'))).sort()) {
    const { words } = await readWords(path.join(folder, 'en', file))
    const named = Object.keys(words).filter(keepsName)
    const others = Object.keys(words).filter((name) => !keepsName(name))
    packings.set(file, { names: [...named, ...others], named: named.length, first })
    first += others.length
  }
  return packings
}

/** Whether the code may come by a name in another way than by saying all of it to `t`. */
async function findNamed(console: string): Promise<(name: string) => boolean> {
  const files = (await readdir(console, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/^(words|api[\\/]types)/.test(file),
  )
  const texts = await Promise.all(files.map((file) => readFile(path.join(console, file), 'utf8')))
  const rest = texts.map((text) => text.replaceAll(SAID, '')).join('\n')
  const strings = new Set([...rest.matchAll(STRING)].map(([, text]) => text!))
  const beginnings = [...new Set([...rest.matchAll(BEGINNING)].map(([, text]) => text!))]
  return (name) => strings.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
}

/** As it is now: a checkout builds anew when a file is newer. */
async function readWords(file: string): Promise<{ readonly name: string; readonly words: Words }> {
  const { mtimeMs } = await stat(file)
  const exported = (await import(`${pathToFileURL(file).href}?${mtimeMs}`)) as Readonly<Record<string, Words>>
  const [found, ...others] = Object.entries(exported)
  if (found === undefined || others.length > 0) throw new Error(`${file} has to export its words, and nothing else`)
  return { name: found[0], words: found[1] }
}
