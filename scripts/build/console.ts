// The console as browsers load it: what is in `console/`, bundled, named by its content, and packed. A checkout calls this, too,
// when its console is first asked for (`src/documentation/console-files.ts`).
import { build, type Metafile } from 'esbuild'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { chunks, MADE } from './chunks.ts'
import { NAMES, packedWords } from './packed-words.ts'
import { pureShapes } from './pure-shapes.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PAGE = 'console/index.html'
/** What the page names, by the name that it has there. */
const ENTRIES = ['main.tsx', 'console.css', 'icon.svg']
/** Where the files are served, below which they have no folders. */
const ADDRESS = '/console/-/'
/** Of the last two years: others lack what the console takes for granted. */
const BROWSERS = ['chrome131', 'edge131', 'firefox133', 'safari18.2']

export interface BuiltConsole {
  /** By name: all as `NAME.gz`, and as `NAME.br` what the first screen needs. None is there unpacked. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Files that it was made of, from the root. */
  readonly inputs: readonly string[]
}

export async function buildConsole(): Promise<BuiltConsole> {
  const { outputFiles, metafile } = await bundle()
  const texts = new Map(outputFiles.map(({ path: file, contents }) => [path.basename(file), contents]))
  const names = namesOf(metafile)
  const first = firstScreen(metafile, names.get('main.tsx')!)
  const page = makePage(readFileSync(path.join(ROOT, PAGE), 'utf8'), names, first)
  texts.set('index.html', Buffer.from(page))
  const isFirst = new Set(['index.html', ...names.values(), ...first])
  const packed = [...texts].map(async ([name, bytes]): Promise<[string, Uint8Array][]> => {
    const zipped: [string, Uint8Array] = [`${name}.gz`, await promisify(gzip)(bytes, { level: 9 })]
    return isFirst.has(name) ? [zipped, [`${name}.br`, await promisify(brotliCompress)(bytes)]] : [zipped]
  })
  const isMade = (name: string): boolean => [...MADE, NAMES].some((namespace) => name.startsWith(`${namespace}:`))
  const inputs = [PAGE, ...Object.keys(metafile.inputs).filter((name) => !isMade(name))]
  return { files: new Map((await Promise.all(packed)).flat()), inputs }
}

function bundle() {
  return build({
    entryPoints: ENTRIES.map((name) => `console/${name}`),
    outdir: path.join(ROOT, 'console/-'),
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    // As modules are read, whatever the answer says.
    charset: 'utf8',
    plugins: [chunks(ROOT), packedWords(ROOT), pureShapes()],
    alias: { re2js: path.join(import.meta.dirname, 're2js-stub.ts') },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    legalComments: 'none',
    metafile: true,
    absWorkingDir: ROOT,
    logLevel: 'warning',
  })
}

/** The names of the made files, by those of `ENTRIES`. */
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

/** What `main` imports before it runs, by way of others too, and not itself. */
function firstScreen({ outputs }: Metafile, main: string): readonly string[] {
  const byName = new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]))
  const found = new Set([main])
  for (const name of found)
    for (const { path: file, kind } of byName.get(name)!.imports)
      if (kind === 'import-statement') found.add(path.basename(file))
  return [...found].filter((name) => name !== main)
}

function makePage(template: string, names: ReadonlyMap<string, string>, preloaded: readonly string[]): string {
  let page = template
  for (const [entry, name] of names) page = page.replace(`="${entry}"`, `="${ADDRESS}${name}"`)
  const links = preloaded.map((name) => `<link rel="modulepreload" href="${ADDRESS}${name}" />\n    `)
  return page.replace('<script', `${links.join('')}<script`)
}
