// The bundle: a directory with all of the program in one CommonJS file, and beside it what cannot be in that file. It can
// be moved anywhere, and `scripts/package` makes the executable from it. Home of esbuild.
import { build } from 'esbuild'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The one package that stays a package: a native binding cannot be part of a JavaScript file. */
const NATIVE_PACKAGE = 'better-sqlite3'

/**
 * Makes `directory` anew: `pimlet.cjs`, `package.json` with the version, `schema.sql`, `migrations/`, `pages/`, and the
 * native package in `node_modules/` with the binding of one platform alone.
 *
 * @param platform as better-sqlite3 names its bindings: `linux-x64`
 */
export async function buildBundle(directory: string, platform: string = thisPlatform()): Promise<void> {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  await bundleCode(path.join(directory, 'pimlet.cjs'))
  for (const name of ['schema.sql', 'migrations', 'pages'])
    cpSync(path.join(ROOT, name), path.join(directory, name), { recursive: true })
  writeManifest(directory)
  copyNativePackage(path.join(directory, 'node_modules', NATIVE_PACKAGE), platform)
}

async function bundleCode(outfile: string): Promise<void> {
  await build({
    entryPoints: [path.join(ROOT, 'src/bundle.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Names and stack traces stay as they are in the sources.
    minifyWhitespace: true,
    // ssh2 has native parts that it does without where they are missing.
    external: [NATIVE_PACKAGE, 'cpu-features', '*.node'],
    // What ES modules ask of their place, a CommonJS file knows by other names.
    define: {
      PIMLET_BUNDLE_DIRECTORY: '__dirname',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      'import.meta.url': 'bundleUrl',
    },
    banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
    legalComments: 'linked',
    absWorkingDir: ROOT,
    logLevel: 'warning',
  })
}

function writeManifest(directory: string): void {
  const { name, version, license } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  writeFileSync(
    path.join(directory, 'package.json'),
    `${JSON.stringify({ name, version, license, private: true }, null, 2)}\n`,
  )
}

function copyNativePackage(target: string, platform: string): void {
  const source = path.join(ROOT, 'node_modules', NATIVE_PACKAGE)
  const binding = `prebuilds/${platform}.node`
  if (!existsSync(path.join(source, binding))) throw new Error(`${NATIVE_PACKAGE} has no binding for ${platform}`)
  for (const name of ['package.json', 'LICENSE', 'lib', binding])
    cpSync(path.join(source, name), path.join(target, name), { recursive: true })
}

function thisPlatform(): string {
  const { glibcVersionRuntime } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
  const system = process.platform === 'linux' && glibcVersionRuntime === undefined ? 'linuxmusl' : process.platform
  return `${system}-${process.arch}`
}
