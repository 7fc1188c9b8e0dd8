// Builds the console for browsers: bundles `console/`, names files by their content, and packs them. A checkout runs
// this when its console is first requested (`src/console-host/console-files.ts`).
import { type JsMinifyOptions, minify } from '@swc/core'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { chunks, FIRST, MADE, wordFile } from './chunks.ts'
import { PARTS, SHARED_FILE, WORDS } from '../../console/words/languages.ts'
import { readSpoken, type Spoken, wordSources } from './languages.ts'
import { pureShapes } from './pure-shapes.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PAGE = 'console/index.html'
/** Files that the page refers to, by the name in the page. */
const ENTRIES = ['ahead.ts', 'console.css', 'icon.svg']
/** The address of the files, which have no folders there. */
const ADDRESS = '/console/-/'
/** Browsers of the last two years; older ones lack features that the console needs. */
const BROWSERS = ['chrome131', 'edge131', 'firefox133', 'safari18.2']

export interface BuiltConsole {
  /** Files by `NAME.br`: each is stored in brotli alone. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Source files of the build, from the root. */
  readonly inputs: readonly string[]
}

/** @param root the checkout */
export async function buildConsole(root = ROOT): Promise<BuiltConsole> {
  const options = optionsIn(root)
  const [begun, rest, words] = await Promise.all([
    build({ ...options, entryPoints: ENTRIES.map((name) => `console/${name}`) }),
    build({ ...options, entryPoints: [{ in: FIRST, out: 'main' }], splitting: true, plugins: makePlugins(root) }),
    readSpoken(root),
  ])
  const names = namesOf(begun.metafile)
  const { main, first, shared } = sharedOf(rest.metafile)
  const files = [...begun.outputFiles, ...rest.outputFiles].map(
    async ({ path: file, contents }) => [path.basename(file), await minified(file, contents)] as [string, Uint8Array],
  )
  const texts = new Map(await Promise.all(files))
  texts.delete(main)
  const spoken = words.map((one) => ({ ...one, files: filesOf(rest.metafile, one.language) }))
  texts.set(
    'index.html',
    Buffer.from(makePage(readFileSync(path.join(root, PAGE), 'utf8'), names, { first, shared }, spoken)),
  )
  const packed = [...texts].map(
    async ([name, bytes]) =>
      [`${name}.br`, await promisify(brotliCompress)(bytes, { params: PACKING })] as [string, Uint8Array],
  )
  const isMade = (name: string): boolean => MADE.some((namespace) => name.startsWith(`${namespace}:`))
  const read = [begun, rest].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const inputs = [PAGE, ...new Set([...read.filter((name) => !isMade(name)), ...wordSources(root)])]
  return { files: new Map(await Promise.all(packed)), inputs }
}

/** Codes of their own for the shortest distances save some 200 bytes. */
const PACKING = { [constants.BROTLI_PARAM_NPOSTFIX]: 1, [constants.BROTLI_PARAM_NDIRECT]: 12 }

const OPTIONS = {
  write: false,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: BROWSERS,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  // Modules are always read as UTF-8, regardless of the response headers.
  charset: 'utf8',
  alias: { re2js: path.join(import.meta.dirname, 're2js-stub.ts') },
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy' },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions

const optionsIn = (root: string) => ({ ...OPTIONS, absWorkingDir: root, outdir: path.join(root, 'console/-') })
const makePlugins = (root: string): Plugin[] => [chunks(root), pureShapes()]

/** Without `ecma`, letters beyond ASCII are escaped. */
const MINIFIED = { module: true, ecma: 2022, compress: { passes: 3 }, mangle: true } as const satisfies JsMinifyOptions

/** A second minifier saves some 4 %: its names pack better than those of esbuild. */
async function minified(file: string, contents: Uint8Array): Promise<Uint8Array> {
  if (!file.endsWith('.js')) return contents
  const { code } = await minify(Buffer.from(contents).toString(), MINIFIED)
  return Buffer.from(code)
}

/** Returns the names of the built files by those of `ENTRIES`. */
function namesOf({ outputs }: Metafile): ReadonlyMap<string, string> {
  const made = ENTRIES.map((entry): [string, string] => {
    const found = Object.entries(outputs).find(([, { inputs, entryPoint }]) =>
      [entryPoint, ...Object.keys(inputs)].includes(`console/${entry}`),
    )
    if (found === undefined) throw new Error(`console/${entry} is not built`)
    return [entry, path.basename(found[0])]
  })
  return new Map(made)
}

interface SharedFiles {
  readonly first: string
  readonly shared: string
}

/** esbuild puts shared code into chunks: one beside the main file, which only imports this chunk, and another one for places. */
function sharedOf({ outputs }: Metafile): SharedFiles & { readonly main: string } {
  const chunks = Object.keys(outputs).filter((name) => path.basename(name).startsWith('chunk-'))
  const [main, { imports }] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(FIRST))!
  const [first, ...others] = imports.filter(({ kind }) => kind === 'import-statement')
  const [shared, ...more] = chunks.filter((name) => name !== first?.path)
  if (first === undefined || shared === undefined || others.length + more.length > 0)
    throw new Error('What places share is not in two files')
  return { main: path.basename(main), first: path.basename(first.path), shared: path.basename(shared) }
}

interface SpokenFiles extends Spoken {
  /** In the order of `PARTS`. */
  readonly files: readonly string[]
}

function filesOf({ outputs }: Metafile, language: string): readonly string[] {
  const fileOf = (entry: string): string =>
    path.basename(Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)![0])
  return PARTS.map((part) => fileOf(wordFile(language, part)))
}

/** Inserts the names of files that `ahead.ts` loads: those that places share, and the words of one language. */
function makePage(
  template: string,
  names: ReadonlyMap<string, string>,
  { first, shared }: SharedFiles,
  words: readonly SpokenFiles[],
): string {
  let page = template
  for (const [entry, name] of names) page = page.replace(`="${entry}"`, `="${ADDRESS}${name}"`)
  const loaded = [
    `<link rel="modulepreload" href="${ADDRESS}${first}" />`,
    `<meta name="${SHARED_FILE}" content="${ADDRESS}${shared}" />`,
    ...words.map(
      ({ language, notLoaded, files }) =>
        `<meta name="${WORDS}${language}" content="${files.map((file) => ADDRESS + file).join(' ')}" data-not-loaded="${escaped(notLoaded)}" />`,
    ),
  ]
  return page.replace('<script', `${loaded.join('\n    ')}\n    <script`)
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
