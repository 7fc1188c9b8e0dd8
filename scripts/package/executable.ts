// Makes one executable: Node with the bundle and its code cache as assets.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { isPacked, PACKED } from '../../src/kernel/executable/packed.ts'
import { buildBundle, bundleCode } from '../build/bundle.ts'
import { licenceOfNode } from '../build/licences.ts'
import { findNode, homeOf, lockedNodeVersion, offerToPkg } from './base-binary.ts'
import { makeCodeCache, wrapProgram } from './code-cache.ts'
import type { PkgRun } from './run-pkg.ts'
import { hostTarget, type Target } from './targets.ts'

const PICTURES = 'native/pictures/'
/** Caches packages of other platforms. */
const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/pimlet-package')

/**
 * Replaces the file `output`, or throws and leaves the file unchanged. Resolves to the licences of its contents.
 * @param made a bundle for `target` of the present sources, which saves another one
 */
export async function makeExecutable(target: Target, output: string, made?: string): Promise<{ licences: string }> {
  const isHost = target.name === hostTarget().name
  if (!isHost && process.versions.node !== lockedNodeVersion())
    throw new Error(`Only Node ${lockedNodeVersion()}, which npm ci brings, makes executables for other platforms`)
  const node = findNode(target, CACHE)
  mkdirSync(path.dirname(output), { recursive: true })
  const directory = mkdtempSync(path.join(path.dirname(output), '.package-'))
  try {
    const bundle = path.join(directory, 'bundle')
    if (made === undefined) await buildBundle(bundle, target.binding, (name) => homeOf(name, CACHE))
    else cpSync(made, bundle, { recursive: true })
    await bundleCode(bundle, { executable: 'src/kernel/executable/executable.ts' })
    const licences = path.join(bundle, 'BUNDLE-LICENSES.txt')
    appendFileSync(licences, `\n${licenceOfNode([node, process.execPath], lockedNodeVersion())}`)
    const assets = await prepareAssets(directory, bundle, isHost ? node : undefined)
    const packed = path.join(directory, path.basename(output))
    const entry = path.join(bundle, 'executable.cjs')
    await runPkg(
      { entry, assets, target, nodeVersion: lockedNodeVersion(), output: packed },
      node,
      path.join(directory, 'home'),
    )
    chmodSync(packed, 0o755)
    renameSync(packed, output)
    return { licences: readFileSync(licences, 'utf8') }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Collects the files of the bundle under the names that `src/kernel/executable/assets.ts` uses.
 * @param node runs here to make the code cache
 */
async function prepareAssets(
  directory: string,
  bundle: string,
  node: string | undefined,
): Promise<Record<string, string>> {
  const assets: Record<string, string> = {}
  for (const name of listFiles(bundle)) assets[name] = path.join(bundle, name)
  packTexts(assets)
  const binding = assets['native/better_sqlite3.node']!
  delete assets['native/better_sqlite3.node']
  assets[`native/${sha256(binding)}/better_sqlite3.node`] = binding
  placePictureFiles(assets)
  for (const name of ['pimlet.cjs', 'thread.cjs']) {
    const script = wrapProgram(readFileSync(path.join(bundle, name), 'utf8'))
    if (name === 'pimlet.cjs' && node !== undefined)
      assets[`${name}.cache`] = await makeCodeCache(node, bundle, script, path.join(directory, 'cache'))
    assets[name] = path.join(directory, name)
    writeFileSync(assets[name], script)
  }
  return assets
}

function packTexts(assets: Record<string, string>): void {
  for (const [name, file] of Object.entries(assets)) {
    if (!isPacked(name)) continue
    delete assets[name]
    assets[name + PACKED] = file + PACKED
    writeFileSync(file + PACKED, brotliCompressSync(readFileSync(file)))
  }
}

/** The folder of the native code for pictures names its version. */
function placePictureFiles(assets: Record<string, string>): void {
  const found = Object.entries(assets).filter(([name]) => name.startsWith(PICTURES))
  const version = createHash('sha256')
    .update(found.map(([name, file]) => `${name} ${sha256(file)}`).join('\n'))
    .digest('hex')
  for (const [name, file] of found) {
    delete assets[name]
    assets[`native/pictures-${version.slice(0, 16)}/${name.slice(PICTURES.length)}`] = file
  }
}

/** Returns relative paths with slashes. */
function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

async function runPkg(run: PkgRun, node: string, home: string): Promise<void> {
  offerToPkg(node, run.target, run.nodeVersion, home)
  const script = path.join(import.meta.dirname, 'run-pkg.ts')
  const env = { ...process.env, HOME: home, USERPROFILE: home, NODE_OPTIONS: '' }
  await promisify(execFile)(process.execPath, [script, JSON.stringify(run)], { env })
}
