// The house, as CONTRIBUTING.md describes it: which layer may import which, that no imports go in a ring, where each npm
// package is at home, and that no endpoint goes without a test.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { measureFunctions } from '../scripts/house/functions.ts'
import { apiRoutes } from '../src/app/api.ts'

const root = path.join(import.meta.dirname, '..')

interface Import {
  readonly file: string
  /** A path from the root, or the name of a package. */
  readonly target: string
  readonly isPackage: boolean
  readonly isTypeOnly: boolean
  /** By `import()`: loaded when it is needed. */
  readonly isLazy: boolean
}

/** Names of the engine, its files and its log. */
const ENGINE = /sqlite|postgres|\bwal\b|databaseFile|pimlet\.db|lock\.db|search-index\.db/i
const ENGINES = ['src/store/sqlite/', 'src/postgres/']
const KNOW_OF_ITS_FILES = [
  // Where a workspace is, what is lost with it, and what a restore puts in its place.
  'src/app/app-storage.ts',
  // What commands say of it.
  'src/cli/database-texts.ts',
  'src/cli/migrate-command.ts',
  'src/kernel/executable/assets.ts',
  'src/kernel/machine/data-directory.ts',
  'src/kernel/machine/whole-files.ts',
  // How operators name it.
  'src/kernel/settings/config.ts',
  'src/kernel/settings/settings.ts',
  'src/workspace/maintenance/new-workspace.ts',
  'src/workspace/maintenance/workspace.ts',
  'src/workspace/storages.ts',
]

/** Pure: values in, values out. All rules are one floor, so that a rule of the model may name a rule of exports. */
const RULES = /^src\/core\/(?:csv|datatypes|scopes|values)\/|^src\/(?:core\/)?[\w-]+\/rules\//
/** What rules and the console may know of the kernel: no clock, no files. */
const PURE =
  /^src\/kernel\/(?:errors|found-by-id|own|text)\.ts$|^src\/kernel\/(?:input|json)\/|^src\/kernel\/secrets\/secret-fields\.ts$/
const KERNEL = /^src\/kernel\//
/** Sets of records, and the plan that finds them. */
const PLAN = /^src\/core\/search\/plan\//
const STORE = /^src\/store\/(?!sqlite\/)/
const CORE = /^src\/core\//
const HTTP = /^src\/http\//
/** Declarations of endpoints with their shapes and examples. */
const ROUTES = /^src\/.+\/routes\//
interface Types {
  readonly place: RegExp
  readonly isTypeOnly: true
}
type Target = RegExp | Types

const USE_CASES: Types = { place: /^src\/app\/app-services\.ts$/, isTypeOnly: true }
const ANYTHING = /^(?:src|plugins)\//

/** What each floor may import besides itself, from below to above. A file is on the first floor that has it. */
const FLOORS: readonly { readonly floor: RegExp; readonly imports: readonly Target[] }[] = [
  { floor: KERNEL, imports: [] },
  { floor: RULES, imports: [PURE] },
  { floor: PLAN, imports: [KERNEL, RULES, STORE] },
  { floor: /^src\/store\/sqlite\//, imports: [KERNEL, RULES, PLAN, STORE] },
  { floor: STORE, imports: [KERNEL, RULES, PLAN] },
  { floor: /^src\/postgres\//, imports: [KERNEL, RULES, PLAN, STORE] },
  { floor: HTTP, imports: [KERNEL, RULES, typesOf(STORE), typesOf(CORE), USE_CASES] },
  { floor: matching(ROUTES, CORE), imports: [KERNEL, RULES, HTTP, CORE, USE_CASES] },
  { floor: CORE, imports: [KERNEL, RULES, STORE] },
  ...wing('bulk'),
  ...wing('collaboration'),
  ...wing('events'),
  ...wing('exports'),
  // Bytes in S3 and Azure go by the clients of these destinations.
  ...wing('files', /^plugins\/(?:s3|azure-blob)/),
  ...wing('product-sheets'),
  ...wing('statistics'),
  // An import runs as a bulk job.
  ...wing('imports', /^src\/bulk\//),
  { floor: /^src\/console-host\//, imports: [KERNEL, HTTP, USE_CASES] },
  {
    floor: /^src\/docs-host\//,
    imports: [KERNEL, HTTP, /^src\/app\/api\.ts$/, /^src\/exports\/routes\//, /^plugins\/index\.ts$/],
  },
  {
    floor: /^src\/workspace\//,
    imports: [
      KERNEL,
      RULES,
      STORE,
      CORE,
      HTTP,
      /^src\/(?:store\/sqlite|postgres)\//,
      typesOf(/^src\/(?:imports|files)\//),
    ],
  },
  {
    floor: /^src\/cli\//,
    imports: [KERNEL, RULES, CORE, /^src\/(?:docs-host|workspace|files\/content)\//, /^src\/app\/app\.ts$/],
  },
  { floor: /^src\/(?:app\/|main\.ts$|thread\.ts$)/, imports: [ANYTHING] },
  {
    floor: /^plugins\/messengers\//,
    imports: [/^src\/kernel\/(?:destination\.ts$|messenger\.ts$|webhook\/)/, /^plugins\/(?:shared\/|webhook\.ts$)/],
  },
  { floor: /^plugins\/webhook/, imports: [/^src\/kernel\/(?:destination\.ts$|webhook\/)/] },
  { floor: /^plugins\//, imports: [/^src\/kernel\/destination\.ts$/] },
]

/** A capability with one address: it knows the core, and no other wing. */
function wing(name: string, ...others: readonly RegExp[]): typeof FLOORS {
  const own = new RegExp(`^src/${name}/`)
  const below = [KERNEL, RULES, CORE, own, ...others]
  return [
    { floor: matching(ROUTES, own), imports: [...below, HTTP, USE_CASES] },
    { floor: own, imports: [...below, STORE] },
  ]
}

function matching(one: RegExp, other: RegExp): RegExp {
  return new RegExp(`(?=${other.source})(?:${one.source})`)
}

function typesOf(place: RegExp): Types {
  return { place, isTypeOnly: true }
}

/** What each place of the console may import besides itself. A name ending in `/` is a folder; `(types)`: by `import type` only. */
const ARROWS: Record<string, readonly string[]> = consoleArrows()

/** What a place of the console may import besides itself; no place imports another one. */
function consoleArrows(): Record<string, readonly string[]> {
  const shared = ['console/kit/', 'console/state/', 'console/api/', 'console/words/']
  const forAll = ['console/grid/', 'console/fields/', 'console/jobs/', ...shared]
  const places =
    'home records record groups sheet-tools pictures bulk categories imports exports activity events help sheets charts model people account sign-in talk'
  return {
    ...Object.fromEntries(places.split(' ').map((place) => [`console/${place}/`, forAll])),
    // In the file of the sheet: another place that needs filters asks for its panel.
    'console/records/': [...forAll, 'console/filters/'],
    'console/words/': ['console/api/types.ts (types)'],
    'console/api/': [],
    'console/state/': ['console/api/', 'console/words/'],
    'console/kit/': ['console/state/', 'console/api/failures.ts', 'console/api/ (types)', 'console/words/'],
    'console/fields/': shared,
    'console/grid/': ['console/fields/', ...shared],
    'console/jobs/': ['console/fields/', ...shared],
    'console/filters/': ['console/fields/', ...shared],
    // It loads the places when they are first gone to.
    'console/shell/': [
      ...forAll,
      ...places.split(' ').map((place) => `console/${place}/ (lazily)`),
      'console/sign-in/',
    ],
    'console/main.tsx': ['console/shell/', ...shared],
    // What it imported, the rest would have to be loaded with.
    'console/ahead.ts': ['console/ (types)', 'console/state/prefix.ts', 'console/words/languages.ts'],
  }
}
/** Files of a room that has an interface, and who outside of it may import them: nobody else has to know how it works. */
const WAL = 'src/store/sqlite/wal/'
const DOORS: Record<string, readonly string[]> = {
  [`${WAL}wal.ts`]: ['src/store/sqlite/store.ts', 'src/store/sqlite/commit-loop.ts'],
  [`${WAL}read-view.ts`]: ['src/store/sqlite/store.ts', 'src/store/sqlite/repositories.ts'],
  [`${WAL}checkpoint.ts`]: ['src/store/sqlite/search-index/index-thread.ts'],
  [`${WAL}wal-file.ts`]: ['src/store/sqlite/search-index/indexer.ts'],
  [`${WAL}sync.ts`]: [],
}

/** The one file that imports a package, or the folder whose files may. valibot is at home wherever data enters. */
const HOMES: Record<string, string> = {
  '@fastify/busboy': 'src/files/form-data.ts',
  '@tinyhttp/app': 'src/http/pipeline/pipeline.ts',
  '@valibot/to-json-schema': 'src/http/openapi/json-schemas.ts',
  'better-sqlite3': 'src/store/sqlite/connection.ts',
  'file-type': 'src/files/pictures/child/media-type.ts',
  convert: 'src/core/values/units.ts',
  croner: 'src/exports/schedule/scheduler.ts',
  htmlparser2: 'src/core/values/plain-text.ts',
  hucre: 'src/exports/formats/xlsx.ts',
  'ipaddr.js': 'src/kernel/egress/address-rules.ts',
  jose: 'src/core/accounts/tokens.ts',
  marked: 'src/docs-host/guides.ts',
  pg: 'src/postgres/connection.ts',
  pino: 'src/kernel/observing/log.ts',
  'prom-client': 'src/kernel/observing/metrics.ts',
  'pino-pretty': 'src/kernel/observing/log.ts',
  preact: 'console/',
  '@preact/signals': 'console/',
  re2js: 'src/core/values/patterns.ts',
  saxes: 'src/imports/readers/xml-events.ts',
  yauzl: 'src/imports/readers/archive.ts',
  yazl: 'src/cli/zip-content.ts',
  sharp: 'src/files/pictures/child/picture-library.ts',
  thumbhash: 'src/files/pictures/child/describing.ts',
  'cli-progress': 'src/cli/progress-bar.ts',
  yargs: 'src/cli/command-line.ts',
}
const EVERYWHERE = new Set(['valibot'])

function listFiles(folder: string): string[] {
  const directory = path.join(root, folder)
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
}

function readImports(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  const found = text.matchAll(/^(?:import|export)\s(type\s)?(?:[^'";]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm)
  return [...found]
    .map(([, type, name, lazy]) => ({
      isTypeOnly: type !== undefined,
      isLazy: lazy !== undefined,
      name: (name ?? lazy)!,
    }))
    .filter(({ name }) => !name.startsWith('node:'))
    .map(({ name, ...how }) => {
      const isPackage = !name.startsWith('.')
      const target = isPackage ? packageOf(name) : path.posix.join(path.posix.dirname(file), name)
      return { file, target, isPackage, ...how }
    })
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

function isIn(file: string, place: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place
}

function placeOf(file: string): string | undefined {
  return Object.keys(ARROWS).find((place) => isIn(file, place))
}

function isAllowed(one: Import): boolean {
  return one.file.startsWith('console/') ? isAllowedInConsole(one) : isAllowedOnFloor(one)
}

function isAllowedOnFloor({ file, target, isTypeOnly }: Import): boolean {
  const found = FLOORS.find(({ floor }) => floor.test(file))
  if (found === undefined) return false
  return [found.floor, ...found.imports].some((entry) =>
    entry instanceof RegExp ? entry.test(target) : isTypeOnly && entry.place.test(target),
  )
}

function isAllowedInConsole({ file, target, isTypeOnly, isLazy }: Import): boolean {
  const place = placeOf(file)
  if (place === undefined) return false
  if (RULES.test(target) || PURE.test(target)) return true
  return [place, ...ARROWS[place]!].some((entry) => {
    const [to = '', how] = entry.split(' ')
    return isIn(target, to) && (how === undefined || (how === '(types)' ? isTypeOnly : isLazy))
  })
}

/** The files of each ring of imports: taken away is what imports nothing that is left, or is imported by nothing. */
function findCycles(arrows: readonly Import[]): string[] {
  let left = arrows.filter(({ isPackage }) => !isPackage)
  for (let before = 0; before !== left.length;) {
    before = left.length
    const [importing, imported] = [new Set(left.map(({ file }) => file)), new Set(left.map(({ target }) => target))]
    left = left.filter(({ file, target }) => importing.has(target) && imported.has(file))
  }
  const inRings = [...new Set(left.map(({ file }) => file))].sort()
  return inRings.length === 0 ? [] : [inRings.join(' and ')]
}

const files = [...listFiles('src'), ...listFiles('plugins'), ...listFiles('console')]
const imports = files.flatMap(readImports)

describe('The house', () => {
  it('is read at all', () => {
    assert.ok(files.length > 50 && imports.length > 200)
    assert.ok(imports.some(({ target }) => target === 'src/store/port.ts'))
  })

  it('every file has a place in it', () => {
    assert.deepEqual(
      files.filter((file) =>
        file.startsWith('console/') ? placeOf(file) === undefined : !FLOORS.some(({ floor }) => floor.test(file)),
      ),
      [],
    )
  })

  it('no arrow points the wrong way', () => {
    const wrong = imports.filter((one) => !one.isPackage && !isAllowed(one))
    assert.deepEqual(
      wrong.map(({ file, target }) => `${file} imports ${target}`),
      [],
    )
  })

  it('the wal is known to those only who commit, show what is committed, or move it', () => {
    const files = listFiles(WAL)
    assert.deepEqual(files.toSorted(), Object.keys(DOORS).toSorted())
    const wrong = imports.filter(
      ({ file, target }) => isIn(target, WAL) && !isIn(file, WAL) && !DOORS[target]!.includes(file),
    )
    assert.deepEqual(
      wrong.map(({ file, target }) => `${file} imports ${target}`),
      [],
    )
  })

  it('only the storage knows what it is made of, but for those who tell operators of its files', () => {
    const named = listFiles('src/').filter(
      (file) =>
        !ENGINES.some((engine) => file.startsWith(engine)) &&
        ENGINE.test(readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')),
    )
    assert.deepEqual(named.toSorted(), KNOW_OF_ITS_FILES)
  })

  it('no file imports itself by way of others, not even types', () => {
    assert.deepEqual(findCycles(imports), [])
    const [one, other] = ['src/a.ts', 'src/b.ts']
    const there = { file: one, target: other, isPackage: false, isTypeOnly: true, isLazy: false }
    assert.deepEqual(findCycles([there, { ...there, file: other, target: one }]), [`${one} and ${other}`])
  })

  it('no function has more than 40 lines of its own, tables and functions within it not counted', () => {
    const long = [...listFiles('src'), ...listFiles('plugins')].flatMap((file) =>
      measureFunctions(readFileSync(path.join(root, file), 'utf8'))
        .filter(({ lines }) => lines > 40)
        .map(({ line, lines }) => `${file}:${line} has ${lines} lines`),
    )
    assert.deepEqual(long, [])
    const lines = Array.from({ length: 41 }, (_, at) => `  call(${at})`).join('\n')
    assert.deepEqual(measureFunctions(`function long() {\n${lines}\n}`), [{ line: 1, lines: 43 }])
  })

  it('every package has one home', () => {
    const wrong = imports.filter(({ file, target, isPackage }) => {
      if (!isPackage || EVERYWHERE.has(target) || file.startsWith('plugins/')) return false
      const home = HOMES[target]
      return home === undefined || !isIn(file, home)
    })
    assert.deepEqual(
      wrong.map(({ file, target }) => `${file} imports ${target}`),
      [],
    )
  })

  it('only config.ts reads the environment, only system.ts reads the clock', () => {
    const readers = (pattern: RegExp) =>
      listFiles('src').filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')))
    assert.deepEqual(readers(/process\.env\b/), ['src/kernel/settings/config.ts'])
    assert.deepEqual(readers(/new Date\(\)|Date\.now\(\)|Math\.random\(\)|randomBytes\b.*node:crypto/), [
      'src/kernel/machine/system.ts',
    ])
  })

  it('every endpoint is named in a test, as its method and path', () => {
    const texts = listFiles('test')
      .filter((file) => /^test\/(?:.*\/)?(?:http|routes|console-host|docs-host|workspace)\/.*\.test\.ts$/.test(file))
      .map((file) => readFileSync(path.join(root, file), 'utf8'))
    const untested = apiRoutes
      .map(({ method, path: route }) => `${method} ${route}`)
      .filter((endpoint) => !texts.some((text) => namesEndpoint(text, endpoint)))
    assert.deepEqual(untested, [])
  })
})

/** `GET /a/:id` is not named by `GET /a/:id/more`. */
function namesEndpoint(text: string, endpoint: string): boolean {
  for (let at = text.indexOf(endpoint); at !== -1; at = text.indexOf(endpoint, at + 1))
    if (!/[\w/:-]/.test(text[at + endpoint.length] ?? '')) return true
  return false
}
