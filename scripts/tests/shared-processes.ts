// Which test files run daily, which share a process, and in which order processes begin.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** How many files of these places share a process. Files elsewhere have one each: they take long, look at their process, or change it. */
const SHARING: readonly { readonly place: RegExp; readonly each: number }[] = [
  {
    place: /^test\/(?:core\/(?:csv|datatypes|scopes|values)|(?:core\/)?\w+\/rules|kernel\/(?:input|json))\//,
    each: 80,
  },
  { place: /^test\/(?:.+\/routes|http|console-host|docs-host)\//, each: 12 },
  { place: /^test\/core\/model\/changes\//, each: 5 },
  { place: /^test\/core\//, each: 20 },
  { place: /^test\/(?:postgres|store)\//, each: 6 },
  { place: /^test\/(?:cli|workspace)\//, each: 5 },
  { place: /^test\/console\//, each: 8 },
  { place: /^test\/(?:docs|exports)\//, each: 8 },
  { place: /^test\/attacks\//, each: 8 },
  { place: /^test\/cluster\//, each: 3 },
]
/** So do these. */
const ALONE = new Set([
  'test/http/bodies/import-streaming.test.ts',
  'test/imports/routes/import-xlsx.test.ts',
  'test/core/accounts/login-throttle.test.ts',
  'test/imports/line-keys.test.ts',
  'test/store/sqlite/store.test.ts',
  'test/postgres/store.test.ts',
])
/** Deaths, several servers, attacks, upgrades and the executable: landing runs them, `npm test` does not. */
const FAULTS = [
  /^test\/(?:attacks|cluster|kill|package|postgres|upgrade)\//,
  /\/(?:[\w-]+-)?kill(?:ed)?(?:-[\w-]+)?\.test\.ts$/,
  /\/(?:full-disk|durability|doctor-postgres)\.test\.ts$/,
]
/** A file with this line runs in `npm run test:all`, and near its changes. `npm test` and landing have no time for such files. */
const LONG = '// A long file: `npm run test:all` runs it.'
/** Helpers that open a browser. */
const BROWSER = /helpers\/(?:browser|chromium|console)\.ts/
/** Files of these places take long or wait much: they begin first, then groups of files, and single short files fill the end. */
const FIRST = [
  'test/package/',
  'test/cluster/',
  'test/bulk/',
  'test/console/',
  'test/plugins/',
  'test/exports/',
  'test/store/',
  'test/postgres/',
  'test/cli/',
]

/** Whether `npm run near`, which has a minute, may choose the file for these changes. Only changes of the console open a browser. */
export function mayBeNear(file: string, changes: readonly string[]): boolean {
  return !isOfFaults(file) && (!opensBrowser(file) || changes.some((changed) => /(?:^|\/)console\//.test(changed)))
}

/** Whether `npm test` runs the file, which has five minutes. */
export function isDaily(file: string): boolean {
  return isLanding(file) && !isOfFaults(file) && !opensBrowser(file)
}

/** Whether continuous integration runs the file, which has twelve minutes. */
export function isLanding(file: string): boolean {
  return !textOf(file).includes(LONG)
}

function isOfFaults(file: string): boolean {
  return FAULTS.some((pattern) => pattern.test(file))
}

function opensBrowser(file: string): boolean {
  return file.startsWith('test/console/') && BROWSER.test(textOf(file))
}

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
}

/** In the order in which they are to begin. */
export function groupFiles(files: readonly string[]): string[][] {
  const placeOfFile = (file: string) => (ALONE.has(file) ? undefined : SHARING.find(({ place }) => place.test(file)))
  const alone = files.filter((file) => placeOfFile(file) === undefined).map((file) => [file])
  const shared = SHARING.flatMap((sharing) =>
    deal(
      files.filter((file) => placeOfFile(file) === sharing),
      sharing.each,
    ),
  )
  return [...alone, ...shared].toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** As cards: neighbours, which are alike, and perhaps long, go to different groups. */
function deal(files: readonly string[], each: number): string[][] {
  const groups = Array.from({ length: Math.ceil(files.length / each) }, (): string[] => [])
  for (const [index, file] of files.entries()) groups[index % groups.length]!.push(file)
  return groups
}

function placeOf([file, ...more]: readonly string[]): number {
  const place = FIRST.findIndex((folder) => file!.startsWith(folder))
  if (place !== -1) return place
  return more.length > 0 ? FIRST.length : FIRST.length + 1
}

/** Names the group, so that a reader sees which file failed to load. */
export function nameOf(group: readonly string[]): string {
  const [first] = group
  const name = group.length === 1 ? first!.replace(/\.test\.ts$/, '') : path.dirname(first!)
  return name.replace(/^test\//, '').replaceAll('/', '-')
}

/**
 * A module that runs the files. Each of several files is a suite of its own, so that its hooks run before and after its own
 * tests. Files are loaded within their suite, without a turn of the event loop between them.
 */
export function entryOf(files: readonly string[]): string {
  const helpers = ['process-limit.ts', 'end-of-process.ts', 'bundled-parts.ts']
    .map((name) => `import ${quotedUrl(`${ROOT}/test/helpers/${name}`)}\n`)
    .join('')
  const [file] = files
  if (files.length === 1) return `${helpers}import ${quotedUrl(file!)}\n`
  return `import { createRequire } from 'node:module'
import path from 'node:path'
import { describe } from 'node:test'
${helpers}
const require = createRequire(import.meta.url)
for (const file of ${JSON.stringify(files)})
  describe(path.relative(${JSON.stringify(ROOT)}, file), { timeout: 3_600_000 }, () => void require(file))
`
}

function quotedUrl(file: string): string {
  return JSON.stringify(pathToFileURL(file).href)
}
