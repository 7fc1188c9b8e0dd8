// The console is cut into files: one for its beginning and home, one that the other places share, and one for each place.
// Left alone, esbuild makes a file of every set of modules that the same pages use. Dozens of small files mean dozens of
// requests, and pack worse.
import type { Plugin } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Part, PARTS } from '../../console/words/languages.ts'
import { groupedWords, languagesIn, readWords, UNGROUP } from './languages.ts'

/** Namespaces of generated modules, which exist in no file. */
export const MADE = ['shared', 'place', 'words']
/** The beginning of the console, with the modules that its home shares with other places. */
export const FIRST = 'console:first'
/** The modules that the other places share. */
export const SHARED = 'console:shared'
const HOME = 'home'
/** Places that people visit together share a file, which packs better than one for each. */
const TOGETHER = [
  ['exports', 'events', 'sheets'],
  ['people', 'account', 'activity'],
  ['groups', 'sheet-tools'],
]
/** Shared folders; a place that uses some of their modules would load most of them anyway. */
const FOLDERS = ['api', 'fields', 'jobs', 'kit', 'state']
/** Further files that several places use. */
const FILES = [
  'console/words/place.ts',
  'console/grid/cell-value.ts',
  'src/core/accounts/rules/permissions.ts',
  'src/core/datatypes/data-types.ts',
  'src/core/model/rules/language-dimension.ts',
  'src/kernel/secrets/secret-fields.ts',
  'src/core/records/rules/changes.ts',
  'src/core/records/rules/completeness.ts',
  'src/core/records/rules/transition.ts',
  'src/core/records/rules/record-label.ts',
  'src/core/scopes/in-force.ts',
  'src/core/search/rules/sorting.ts',
]

interface Page {
  readonly folder: string
  readonly file: string
  readonly component: string
}

/**
 * Every place imports the beginning of the console, and every place but home imports all shared modules. So each of the two
 * is one file. A page loads its whole place.
 */
export function chunks(root: string): Plugin {
  return {
    name: 'chunks',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^(${FIRST}|${SHARED})$`) }, ({ path: name }) => ({
        path: name,
        namespace: 'shared',
        sideEffects: true,
      }))
      build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path: name }) => ({
        contents: importsOf(name === FIRST ? firstFiles(root) : sharedFiles(root)),
        resolveDir: root,
      }))
      build.onResolve({ filter: /\.tsx$/ }, ({ kind, path: name, resolveDir }) => {
        const folder = path.basename(path.dirname(path.resolve(resolveDir, name)))
        return kind === 'dynamic-import' ? { path: fileOf(folder), namespace: 'place' } : undefined
      })
      build.onLoad({ filter: /word-files\.ts$/ }, () => ({ contents: wordFilesOf(root) }))
      build.onResolve({ filter: /^words:/ }, ({ path: name }) => ({
        path: name.slice('words:'.length),
        namespace: 'words',
      }))
      build.onLoad({ filter: /.*/, namespace: 'words' }, async ({ path: name }) => ({
        contents: `export const words = ${JSON.stringify(groupedWords(await readWords(root, name)))}`,
      }))
      build.onLoad({ filter: /.*/, namespace: 'place' }, ({ path: name }) => ({
        contents: placeOf(root, name),
        resolveDir: path.join(root, 'console/shell'),
      }))
    },
  }
}

const importsOf = (files: readonly string[]): string => files.map((file) => `import './${file}'`).join('\n')

function sharedFiles(root: string): readonly string[] {
  const shared = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, 'console', folder))
      .filter((name) => /\.tsx?$/.test(name) && name !== 'types.ts')
      .map((name) => `console/${folder}/${name}`),
  )
  return [...shared, ...FILES]
}

function firstFiles(root: string): readonly string[] {
  const used = new Set<string>()
  const pages = pagesOf(root).filter(({ folder }) => folder === HOME)
  for (const { file } of pages) addImported(root, `console/${HOME}/${file}`, used)
  return ['console/main.tsx', ...sharedFiles(root).filter((file) => used.has(file))]
}

/** Adds the file, and all that it loads with itself. */
function addImported(root: string, file: string, found: Set<string>): void {
  if (found.has(file)) return
  found.add(file)
  for (const [, name] of readFileSync(path.join(root, file), 'utf8').matchAll(STATIC_IMPORT))
    addImported(root, path.posix.join(path.posix.dirname(file), name!), found)
}

/** An import of a file of the project, but for one of types. */
const STATIC_IMPORT = /^(?:import|export) (?!type )[^;]*? from '(\.[^']+\.tsx?)'$/gm

/** The module of a file of words. */
export const wordFile = (language: string, part: Part): string => `words:${language}-${part}`

/** The source of `word-files.ts` with the name of each file: esbuild bundles no files with computed names. */
function wordFilesOf(root: string): string {
  const loaders = PARTS.map((part) => {
    const files = languagesIn(root).map(
      (language) => `${JSON.stringify(language)}: () => import('${wordFile(language, part)}')`,
    )
    const name = `load${part.charAt(0).toUpperCase()}${part.slice(1)}`
    return `const ${part} = { ${files.join(', ')} }\nexport const ${name} = (language) => ${part}[language]().then(ungroup)`
  })
  return [`const ungroup = ${UNGROUP}`, ...loaders].join('\n')
}

/** The name of the file that has a folder: that of the first folder in it. */
const fileOf = (folder: string): string => TOGETHER.find((folders) => folders.includes(folder))?.[0] ?? folder

/** Returns everything that the shell loads from the folders of a file. */
function placeOf(root: string, name: string): string {
  const pages = pagesOf(root).filter(({ folder }) => fileOf(folder) === name)
  const shared = name === HOME ? [] : [`import '${SHARED}'`]
  return [
    `import '${FIRST}'`,
    ...shared,
    ...pages.map(({ folder, file, component }) => `export { ${component} } from '../${folder}/${file}'`),
  ].join('\n')
}

/** As they stand in the shell: `(await import('../model/schemas.tsx')).Schemas`. */
function pagesOf(root: string): readonly Page[] {
  const shell = path.join(root, 'console/shell')
  const texts = readdirSync(shell).map((name) => readFileSync(path.join(shell, name), 'utf8'))
  const written = [...texts.join('\n').matchAll(/\(await import\('\.\.\/([\w-]+)\/([\w-]+\.tsx)'\)\)\.(\w+)/g)]
  return written.map(([, folder, file, component]) => ({ folder: folder!, file: file!, component: component! }))
}
