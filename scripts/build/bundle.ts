// Makes the bundle: a directory with the program in two CommonJS files, and the files that cannot be included. One file is
// for the main thread, and one for the other threads. The bundle can be moved anywhere. Home of esbuild.
import { build, transform } from 'esbuild'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { collectLicences } from './licences.ts'
import { buildConsole, type BuiltConsole } from './console.ts'
import { makeLineTable } from './line-table.ts'
import { copyPictureFiles, findsPictureFiles } from './picture-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BINDINGS = path.join(ROOT, 'node_modules/better-sqlite3/prebuilds')
/** Files that the program reads through `src/kernel/executable/assets.ts`. */
export const COPIED = [
  'schema.sql',
  'migrations',
  'postgres',
  'pages',
  'demo',
  'docs',
  'README.md',
  'plugins/README.md',
]
/** Written first. */
const MANIFEST = 'package.json'
const NAMES = ['pimlet.cjs', 'thread.cjs', 'BUNDLE-LICENSES.txt', MANIFEST, 'native', ...COPIED]

/**
 * Replaces the files of the bundle in `directory`; other files there stay.
 *
 * @param platform whose native code is needed, as better-sqlite3 and sharp name it: `linux-x64`
 * @param home the directory that has a package with native code in its `node_modules`
 */
export async function buildBundle(
  directory: string,
  platform: string = thisPlatform(),
  home: (name: string) => string = () => ROOT,
): Promise<void> {
  for (const name of NAMES) rmSync(path.join(directory, name), { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  writeManifest(directory)
  const entries = { pimlet: 'src/main.ts', thread: 'src/thread.ts' }
  const [files, built] = await Promise.all([bundleCode(directory, entries), buildConsole()])
  // The pictures of the guides are only for readers elsewhere.
  const filter = (name: string): boolean => name !== path.join(ROOT, 'docs/pictures')
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(directory, name), { recursive: true, filter })
  files.push(...writeConsole(built, path.join(directory, 'pages/console')))
  files.push(...copyPictureFiles(platform, path.join(directory, 'native/pictures'), home))
  writeFileSync(path.join(directory, 'BUNDLE-LICENSES.txt'), collectLicences(ROOT, files))
  // `assets.ts` expects this name.
  cpSync(nativeBindingFile(platform), path.join(directory, 'native/better_sqlite3.node'))
}

/** Sources that changed since are not in the bundle. */
export function beginOfBundle(directory: string): Date {
  return statSync(path.join(directory, MANIFEST)).mtime
}

/** Returns the included source files. */
function writeConsole({ files, inputs }: BuiltConsole, directory: string): readonly string[] {
  mkdirSync(directory)
  for (const [name, bytes] of files) writeFileSync(path.join(directory, name), bytes)
  return inputs
}

/**
 * Bundles each of `entries`, paths from the root by name, to `directory/<name>.cjs`; resolves to the included source
 * files.
 */
export async function bundleCode(directory: string, entries: Record<string, string>): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: entries,
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // ssh2 works without its native parts.
    external: ['cpu-features', '*.node'],
    plugins: [findsPictureFiles],
    alias: { 'string-width': path.join(import.meta.dirname, 'string-width.cjs') },
    // CommonJS has other names for the file's location than ES modules.
    define: {
      PIMLET_BUNDLE_DIRECTORY: '__dirname',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      'import.meta.url': 'bundleUrl',
    },
    banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
    legalComments: 'none',
    metafile: true,
    sourcemap: 'external',
    sourcesContent: false,
    absWorkingDir: ROOT,
    logLevel: 'warning',
  })
  for (const name of Object.keys(entries)) {
    const file = path.join(directory, `${name}.cjs`)
    replaceMap(file)
    writeFileSync(file, await asAscii(readFileSync(file, 'utf8')))
  }
  return Object.keys(metafile.inputs)
}

/**
 * V8 keeps the whole text of a program, in two bytes for each character if a single one needs them: with ASCII alone the server
 * takes 7 MB less. esbuild escapes all others but those of comments.
 */
async function asAscii(code: string): Promise<string> {
  const ascii = code.replaceAll(/[^\0-\x7f]/gu, '?')
  if ((await withoutComments(ascii)) !== (await withoutComments(code)))
    throw new Error('The bundle has characters beyond ASCII outside its comments')
  return ascii
}

async function withoutComments(code: string): Promise<string> {
  return (await transform(code, { minifyWhitespace: true, legalComments: 'none' })).code
}

/** Replaces the source map by the table of lines that `src/kernel/executable/source-lines.ts` reads. */
function replaceMap(file: string): void {
  const map = `${file}.map`
  const table = makeLineTable(readFileSync(map, 'utf8'), readFileSync(file, 'utf8'), path.dirname(file), ROOT)
  writeFileSync(`${file}.lines.json`, JSON.stringify(table))
  rmSync(map)
}

function writeManifest(directory: string): void {
  const { name, version, license } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  writeFileSync(
    path.join(directory, MANIFEST),
    `${JSON.stringify({ name, version, license, private: true }, null, 2)}\n`,
  )
}

/** Returns better-sqlite3's native code from its package. */
export function nativeBindingFile(platform: string = thisPlatform()): string {
  const file = path.join(BINDINGS, `${platform}.node`)
  if (!existsSync(file)) throw new Error(`better-sqlite3 has no native code for ${platform}`)
  return file
}

function thisPlatform(): string {
  const { glibcVersionRuntime } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
  const system = process.platform === 'linux' && glibcVersionRuntime === undefined ? 'linuxmusl' : process.platform
  return `${system}-${process.arch}`
}
