// Makes a release in dist/: the executables of some platforms, their SHA-256 sums, and the licences of their contents.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beginOfBundle, COPIED } from '../build/bundle.ts'
import { makeExecutable } from './executable.ts'
import { hostTarget, releaseName, type Target } from './targets.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DIRECTORY = path.join(ROOT, 'dist')
/** Sources of an executable. */
const SOURCES = ['src', 'plugins', 'console', ...COPIED, 'package-lock.json', 'scripts/build', 'scripts/package']
const OURS = /^(pimlet(-[a-z0-9-]+)?(\.exe)?|SHA256SUMS|LICENSES\.txt)$/

/**
 * Replaces each file in one step, and removes files of earlier releases. Calls `onMade` with each executable.
 * @param bundle for the only target, which saves another one
 */
export async function makeRelease(
  targets: readonly Target[],
  onMade: (file: string) => void,
  bundle?: string,
): Promise<void> {
  const began = bundle === undefined ? new Date() : beginOfBundle(bundle)
  mkdirSync(DIRECTORY, { recursive: true })
  const made = new Set(['SHA256SUMS', 'LICENSES.txt'])
  const sums: string[] = []
  for (const target of targets) {
    const name = releaseName(target)
    const file = path.join(DIRECTORY, name)
    const { licences } = await makeExecutable(target, file, bundle)
    // The file must not look newer than sources that may have changed since the start.
    utimesSync(file, began, began)
    made.add(name)
    if (target.name === hostTarget().name) made.add(path.basename(link(file, ownExecutable())))
    sums.push(`${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${name}\n`)
    writeFileSync(path.join(DIRECTORY, 'LICENSES.txt'), licences)
    onMade(file)
  }
  writeFileSync(path.join(DIRECTORY, 'SHA256SUMS'), sums.join(''))
  for (const name of readdirSync(DIRECTORY)) if (OURS.test(name) && !made.has(name)) rmSync(path.join(DIRECTORY, name))
}

/**
 * Returns the path of this machine's executable, and makes the file if missing or older than its sources.
 * @param bundle for this machine, which saves another one
 */
export async function ensureExecutable(bundle?: string): Promise<string> {
  const file = ownExecutable()
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (SOURCES.some((name) => newestChange(path.join(ROOT, name)) > made))
    await makeRelease([hostTarget()], () => {}, bundle)
  return file
}

function ownExecutable(): string {
  return path.join(DIRECTORY, process.platform === 'win32' ? 'pimlet.exe' : 'pimlet')
}

/** Returns milliseconds since 1970. A deleted file changes the time of its directory. */
function newestChange(place: string): number {
  const facts = statSync(place)
  const inside = facts.isDirectory() ? readdirSync(place).map((name) => newestChange(path.join(place, name))) : []
  return Math.max(facts.mtimeMs, ...inside)
}

/** Links the file `from` as `to`, or copies the file if the file system has no links. */
function link(from: string, to: string): string {
  const temporary = `${to}.${process.pid}`
  try {
    linkSync(from, temporary)
  } catch {
    copyFileSync(from, temporary)
  }
  renameSync(temporary, to)
  return to
}
