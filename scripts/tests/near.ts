// Finds the test files that a change concerns. These import a changed file, or are named after the changed file or its
// folder, since tests of HTTP start whole servers. A change is the uncommitted files, or else the last commit.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** A file that imports one of these reaches nearly all sources, so the import proves nothing. */
const WHOLE = /^src\/(?:app|cli)\/|^src\/(?:main|thread)\.ts$/
/** Imports of values, because types do not run. */
const IMPORT = /^(?:import(?! type)|export|\}).*?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** @param files test files to choose from; paths begin at the root */
export function filesNear(files: readonly string[], changes: readonly string[]): string[] {
  const changed = new Set(changes.filter((file) => /\.tsx?$/.test(file)))
  const names = [...changed].map(namesOf)
  const reached = new Map<string, ReadonlySet<string>>()
  return files.filter(
    (file) =>
      names.some((name) => name.test(file)) || [...filesBehind(file, reached)].some((behind) => changed.has(behind)),
  )
}

export function changedFiles(): string[] {
  const uncommitted = linesOf('git', 'status', '--porcelain', '--untracked-files=all').map((line) => line.slice(3))
  return uncommitted.length > 0 ? uncommitted : linesOf('git', 'diff', '--name-only', 'HEAD~1')
}

function linesOf(program: string, ...args: string[]): string[] {
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** For `src/imports/matching.ts`: `matching.test.ts`, `import-….test.ts` and the files in a folder `imports`. */
function namesOf(file: string): RegExp {
  const stem = path.basename(file).replace(/(\.test)?\.tsx?$/, '')
  const room = path.basename(path.dirname(file).replace(/\/(?:routes|rules)$/, ''))
  // The folder of records has too many tests for a minute.
  const inRoom = room === 'records' ? '' : `|/${room}/(?:routes/|rules/)?[^/]+`
  return new RegExp(`(?:/${stem}|/${room.replace(/s$/, '')}s?(?:-[^/]+)?${inRoom})\\.test\\.ts$`)
}

/** Returns the file and everything that it imports, except through a whole server. */
function filesBehind(file: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set([file])
  for (const next of found) {
    if (WHOLE.test(next)) continue
    for (const target of importsOf(next, known)) found.add(target)
  }
  return found
}

function importsOf(file: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const read = known.get(file)
  if (read !== undefined) return read
  const absolute = path.join(ROOT, file)
  const text = existsSync(absolute) && /\.tsx?$/.test(file) ? readFileSync(absolute, 'utf8') : ''
  const targets = [...text.matchAll(IMPORT)].map(([, fixed, lazy]) => path.join(path.dirname(file), (fixed ?? lazy)!))
  const imports = new Set(targets)
  known.set(file, imports)
  return imports
}
