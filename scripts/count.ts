// `npm run count`: prints the size of the sources, and places at the limits of the house rules. Run it before and after
// a change.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { measureFunctions } from './house/functions.ts'
import { findUnusedExports } from './house/exports.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDERS = ['src', 'plugins', 'console', 'scripts', 'test']

const files = execFileSync('git', ['ls-files', ...FOLDERS], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file))
const texts = new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]))

for (const folder of FOLDERS) {
  const own = [...texts].filter(([file]) => file.startsWith(`${folder}/`))
  const lines = own.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0)
  console.log(`${folder}: ${own.length} files, ${lines} lines`)
}
const sources = [...texts].filter(([file]) => file.startsWith('src/'))
const long = sources.flatMap(([file, text]) =>
  measureFunctions(text).flatMap(({ line, lines }) => (lines > 40 ? [`${file}:${line} ${lines} lines`] : [])),
)
list('src: functions over 40 lines of their own', long)
const names = Map.groupBy(sources, ([file]) => path.basename(file))
list(
  'src: file names that are used more than once',
  [...names].flatMap(([name, all]) => (all.length > 1 ? [`${name} ${all.length}`] : [])),
)
list('src, plugins, console: exports that nobody imports', findUnusedExports(texts))

function list(title: string, rows: readonly string[]): void {
  console.log(`${title}: ${rows.length}`)
  if (process.argv.includes('--list')) for (const row of rows) console.log(`  ${row}`)
}
