// How the console is cut into files: one for what its places share, with what begins it, and one for each place. Left alone, esbuild makes a file of every
// set of modules that the same pages use: dozens of small ones, each of them a request, and worse to pack.
import type { Plugin } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Part, PARTS } from '../../console/words/languages.ts'
import { languagesIn, WORDS_FOLDER } from './languages.ts'

/** Namespaces of generated modules, which exist in no file. */
export const MADE = ['shared', 'place', 'words']
export const SHARED = 'console:shared'
/** Shared folders; a place that uses some of their modules would load most of them anyway. */
const FOLDERS = ['api', 'fields', 'jobs', 'kit', 'state']
/** Further files that several places use. */
const FILES = [
  'console/words/place.ts',
  'console/grid/cell-value.ts',
  'src/core/accounts/rules/permissions.ts',
  'src/core/datatypes/data-types.ts',
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
 * Every place imports all that is shared, so it is in the same file, to which what begins the console belongs; whoever loads a page
 * of a place loads the place.
 */
export function chunks(root: string): Plugin {
  return {
    name: 'chunks',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${SHARED}$`) }, () => ({
        path: SHARED,
        namespace: 'shared',
        sideEffects: true,
      }))
      build.onLoad({ filter: /.*/, namespace: 'shared' }, () => ({ contents: importsOf(root), resolveDir: root }))
      build.onResolve({ filter: /\.tsx$/ }, ({ kind, path: name, resolveDir }) => {
        const folder = path.basename(path.dirname(path.resolve(resolveDir, name)))
        return kind === 'dynamic-import' ? { path: folder, namespace: 'place' } : undefined
      })
      build.onLoad({ filter: /word-files\.ts$/ }, () => ({ contents: wordFilesOf(root) }))
      build.onResolve({ filter: /^words:/ }, ({ path: name }) => ({
        path: name.slice('words:'.length),
        namespace: 'words',
      }))
      build.onLoad({ filter: /.*/, namespace: 'words' }, ({ path: name }) => ({
        contents: `export { words } from './${name.replace(/-(?=\w+$)/, '/')}.ts'`,
        resolveDir: path.join(root, WORDS_FOLDER),
      }))
      build.onLoad({ filter: /.*/, namespace: 'place' }, ({ path: folder }) => ({
        contents: placeOf(root, folder),
        resolveDir: path.join(root, 'console', folder),
      }))
    },
  }
}

function importsOf(root: string): string {
  const shared = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, 'console', folder))
      .filter((name) => /\.tsx?$/.test(name) && name !== 'types.ts')
      .map((name) => `console/${folder}/${name}`),
  )
  return [...shared, ...FILES, 'console/main.tsx'].map((file) => `import './${file}'`).join('\n')
}

/** The module of a file of words. */
export const wordFile = (language: string, part: Part): string => `words:${language}-${part}`

/** The source of `word-files.ts` with the name of each file: esbuild bundles no files with computed names. */
function wordFilesOf(root: string): string {
  return PARTS.map((part) => {
    const files = languagesIn(root).map(
      (language) => `${JSON.stringify(language)}: () => import('${wordFile(language, part)}')`,
    )
    const name = `load${part.charAt(0).toUpperCase()}${part.slice(1)}`
    return `const ${part} = { ${files.join(', ')} }\nexport const ${name} = (language) => ${part}[language]()`
  }).join('\n')
}

/** Returns everything that the shell loads from a folder. */
function placeOf(root: string, folder: string): string {
  const pages = pagesOf(root).filter((page) => page.folder === folder)
  return [`import '${SHARED}'`, ...pages.map(({ file, component }) => `export { ${component} } from './${file}'`)].join(
    '\n',
  )
}

/** As they stand in the shell: `(await import('../model/schemas.tsx')).Schemas`. */
function pagesOf(root: string): readonly Page[] {
  const shell = path.join(root, 'console/shell')
  const texts = readdirSync(shell).map((name) => readFileSync(path.join(shell, name), 'utf8'))
  const written = [...texts.join('\n').matchAll(/\(await import\('\.\.\/([\w-]+)\/([\w-]+\.tsx)'\)\)\.(\w+)/g)]
  return written.map(([, folder, file, component]) => ({ folder: folder!, file: file!, component: component! }))
}
