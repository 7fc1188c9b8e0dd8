// The house, as CONTRIBUTING.md describes it: which layer may import which, that no imports go in a ring, where each npm
// package is at home, and that no endpoint goes without a test.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { apiRoutes } from '../src/http/api.ts'

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

/** Parts of the storage interface, `src/storage/port.ts`. */
const PORTS = [
  'account',
  'answer',
  'audit',
  'bulk',
  'category',
  'document',
  'feed',
  'import',
  'record',
  'run',
  'search',
  'snapshot',
  'subscription',
].map((part) => `src/storage/${part}-port.ts`)

/** Names of the engine, its files and its log. */
const ENGINE = /sqlite|postgres|\bwal\b|databaseFile|pimlet\.db|lock\.db|search-index\.db/i
const ENGINES = ['src/storage/sqlite/', 'src/storage/postgres/']
const KNOW_OF_ITS_FILES = [
  // Where a workspace is, what is lost with it, and what a restore puts in its place.
  'src/app/app-storage.ts',
  // What commands say of it.
  'src/cli/database-texts.ts',
  'src/cli/migrate.ts',
  'src/executable/assets.ts',
  'src/machine/data-directory.ts',
  'src/machine/files.ts',
  'src/maintenance/lock.ts',
  'src/maintenance/new-workspace.ts',
  // How operators name it.
  'src/settings/config.ts',
  'src/settings/settings.ts',
  'src/storages.ts',
]

/**
 * What each place may import besides itself. A name ending in `/` is a folder; `(types)`: by `import type`
 * only; `(lazily)`: by `import()`.
 */
const ARROWS: Record<string, readonly string[]> = {
  'src/domain/': [],
  'src/storage/account-port.ts': ['src/domain/', 'src/storage/document-port.ts'],
  'src/storage/answer-port.ts': [],
  'src/storage/category-port.ts': ['src/domain/'],
  'src/storage/document-port.ts': ['src/domain/'],
  'src/storage/record-port.ts': ['src/domain/'],
  'src/storage/search-port.ts': ['src/domain/', 'src/storage/record-port.ts'],
  'src/storage/snapshot-port.ts': ['src/domain/', 'src/storage/record-port.ts'],
  'src/storage/audit-port.ts': ['src/domain/'],
  'src/storage/feed-port.ts': ['src/domain/', 'src/storage/audit-port.ts'],
  'src/storage/subscription-port.ts': ['src/domain/'],
  'src/storage/run-port.ts': ['src/domain/'],
  'src/storage/import-port.ts': ['src/domain/', 'src/storage/record-port.ts'],
  'src/storage/bulk-port.ts': ['src/domain/', 'src/storage/record-port.ts'],
  'src/storage/port.ts': ['src/domain/', ...PORTS],
  'src/storage/maintenance-port.ts': ['src/domain/'],
  'src/storage/moving/': [],
  'src/storage/moving-port.ts': ['src/storage/moving/'],
  'src/storage/search/': ['src/domain/', ...PORTS],
  'src/storage/reading/': [
    'src/domain/',
    'src/executable/assets.ts',
    'src/storage/port.ts',
    ...PORTS,
    'src/storage/search/',
  ],
  'src/storage/rows/': ['src/domain/', ...PORTS],
  'src/storage/local-leases.ts': ['src/domain/', 'src/storage/run-port.ts'],
  'src/storage/leading.ts': ['src/domain/', 'src/storage/port.ts', ...PORTS],
  'src/storage/owners.ts': ['src/domain/', 'src/storage/port.ts', ...PORTS],
  'src/storage/open-transaction.ts': ['src/storage/port.ts'],
  'src/storage/upgrade.ts': [],
  'src/storage/sqlite/': [
    'src/domain/',
    'src/executable/assets.ts',
    'src/storage/maintenance-port.ts',
    'src/storage/port.ts',
    ...PORTS,
    'src/storage/local-leases.ts',
    'src/storage/moving-port.ts',
    'src/storage/moving/',
    'src/storage/open-transaction.ts',
    'src/storage/reading/',
    'src/storage/rows/',
    'src/storage/search/',
    'src/storage/upgrade.ts',
  ],
  'src/storage/postgres/': [
    'src/domain/',
    'src/executable/assets.ts',
    'src/storage/maintenance-port.ts',
    'src/storage/port.ts',
    ...PORTS,
    'src/storage/local-leases.ts',
    'src/storage/moving-port.ts',
    'src/storage/moving/',
    'src/storage/open-transaction.ts',
    'src/storage/reading/',
    'src/storage/rows/',
    'src/storage/search/',
    'src/storage/upgrade.ts',
  ],
  'src/services/': [
    'src/domain/',
    'src/machine/system.ts (types)',
    'src/observing/log.ts (types)',
    'src/observing/metrics.ts (types)',
    'src/storage/leading.ts',
    'src/storage/owners.ts',
    'src/storage/port.ts',
    ...PORTS,
  ],
  'src/exports/': [
    'src/domain/',
    'src/executable/assets.ts',
    'src/machine/files.ts',
    'src/machine/system.ts (types)',
    'src/observing/log.ts (types)',
    'src/storage/leading.ts',
    'src/storage/owners.ts',
    'src/storage/port.ts',
    ...PORTS,
  ],
  'src/imports/': [
    'src/domain/',
    'src/executable/assets.ts',
    'src/exports/file-errors.ts',
    'src/exports/slots.ts',
    'src/http/bodies/parse-json.ts',
    'src/machine/files.ts',
  ],
  'src/http/': [
    'src/domain/',
    'src/imports/gathered-bytes.ts',
    'src/imports/line-splitter.ts',
    'src/machine/system.ts (types)',
    'src/observing/log.ts (types)',
    'src/observing/metrics.ts (types)',
    'src/services/',
    'src/settings/networks.ts',
    ...PORTS.map((port) => `${port} (types)`),
  ],
  'plugins/': ['src/exports/destination.ts'],
  'src/settings/': ['src/domain/', 'src/machine/files.ts', 'src/machine/start-error.ts', 'src/observing/log.ts'],
  'src/machine/': ['src/executable/native-binding.ts'],
  'src/maintenance/': [
    'src/domain/',
    'src/executable/native-binding.ts',
    'src/exports/secrets.ts',
    'src/machine/data-directory.ts',
    'src/machine/files.ts',
    'src/machine/priority.ts',
    'src/machine/start-error.ts',
    'src/machine/system.ts (types)',
    'src/services/accounts/passwords.ts (types)',
    'src/storage/maintenance-port.ts (types)',
    'src/storage/moving-port.ts (types)',
    'src/storage/moving/',
    'src/storages.ts',
  ],
  'src/app/app-services.ts': [
    'src/documentation/console-files.ts',
    'src/documentation/documentation.ts',
    'src/exports/ (types)',
    'src/machine/data-directory.ts (types)',
    'src/machine/system.ts (types)',
    'src/observing/metrics.ts (types)',
    'src/services/',
    'src/settings/config.ts (types)',
    'src/storage/port.ts (types)',
  ],
  'src/app/app-events.ts': [
    'plugins/webhook/',
    'src/domain/',
    'src/exports/',
    'src/machine/data-directory.ts (types)',
    'src/machine/system.ts (types)',
    'src/observing/log.ts (types)',
    'src/services/',
    'src/storage/port.ts (types)',
  ],
  'src/app/app-exports.ts': [
    'plugins/index.ts',
    'src/exports/',
    'src/machine/data-directory.ts (types)',
    'src/machine/start-error.ts',
    'src/machine/system.ts (types)',
    'src/observing/log.ts (types)',
    'src/observing/metrics.ts (types)',
    'src/settings/config.ts (types)',
    'src/storage/port.ts (types)',
  ],
  'src/app/app-imports.ts': [
    'src/domain/',
    'src/imports/',
    'src/machine/data-directory.ts (types)',
    'src/machine/start-error.ts',
    'src/observing/log.ts (types)',
    'src/settings/config.ts (types)',
    'src/storage/port.ts (types)',
  ],
  'src/app/app-storage.ts': [
    'src/domain/',
    'src/machine/',
    'src/maintenance/faults.ts',
    'src/observing/log.ts (types)',
    'src/settings/config.ts (types)',
    'src/storage/port.ts (types)',
    'src/storages.ts',
  ],
  'src/app/app-server.ts': [
    'src/http/',
    'src/machine/start-error.ts',
    'src/machine/system.ts (types)',
    'src/observing/log.ts (types)',
    'src/observing/metrics.ts (types)',
    'src/services/services.ts (types)',
    'src/settings/config.ts (types)',
    'src/settings/networks.ts',
  ],
  'src/observing/': [
    'src/domain/text.ts',
    'src/executable/source-lines.ts',
    'src/machine/system.ts (types)',
    'src/storage/port.ts (types)',
  ],
  'src/storages.ts': ['src/storage/'],
  'src/executable/': [],
  'src/app/threads.ts': ['src/exports/', 'src/imports/import-thread.ts', 'src/machine/priority.ts', 'src/storages.ts'],
  'src/thread.ts': ['src/app/threads.ts'],
  'src/cli/': [
    'src/app/app.ts',
    'src/documentation/documentation.ts',
    'src/domain/',
    'src/executable/assets.ts',
    'src/exports/formats/',
    'src/imports/',
    'src/machine/files.ts',
    'src/machine/start-error.ts',
    'src/machine/system.ts',
    'src/maintenance/',
    'src/observing/log.ts',
    'src/services/accounts/api-keys.ts',
    'src/services/accounts/passwords.ts',
    'src/settings/config.ts',
    'src/settings/places.ts',
    'src/settings/settings.ts',
  ],
  'src/documentation/': [
    'plugins/index.ts',
    'src/domain/',
    'src/executable/assets.ts',
    'src/http/',
    'src/services/ (types)',
  ],
  'src/main.ts': ['src/cli/'],
  ...consoleArrows(),
}

/** What a place of the console may import besides itself; no place imports another one. */
function consoleArrows(): Record<string, readonly string[]> {
  const shared = ['console/kit/', 'console/state/', 'console/api/', 'console/words/', 'src/domain/']
  const forAll = ['console/grid/', 'console/fields/', 'console/jobs/', ...shared]
  const places = 'home records record bulk categories imports exports activity events model people account sign-in'
  return {
    ...Object.fromEntries(places.split(' ').map((place) => [`console/${place}/`, forAll])),
    // In the file of the sheet: another place that needs filters asks for its panel.
    'console/records/': [...forAll, 'console/filters/'],
    'console/words/': ['console/api/types.ts (types)', 'src/domain/'],
    'console/api/': ['src/domain/'],
    'console/state/': ['console/api/', 'console/words/', 'src/domain/'],
    'console/kit/': [
      'console/state/',
      'console/api/failures.ts',
      'console/api/ (types)',
      'console/words/',
      'src/domain/',
    ],
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
/** The composition root knows everybody. */
const KNOWS_ALL = 'src/app/app.ts'

/** Files of a room that has an interface, and who outside of it may import them: nobody else has to know how it works. */
const WAL = 'src/storage/sqlite/wal/'
const DOORS: Record<string, readonly string[]> = {
  [`${WAL}wal.ts`]: ['src/storage/sqlite/store.ts', 'src/storage/sqlite/commit-loop.ts'],
  [`${WAL}read-view.ts`]: ['src/storage/sqlite/store.ts', 'src/storage/sqlite/repositories.ts'],
  [`${WAL}checkpoint.ts`]: ['src/storage/sqlite/search-index/index-thread.ts'],
  [`${WAL}wal-file.ts`]: ['src/storage/sqlite/search-index/indexer.ts'],
  [`${WAL}sync.ts`]: [],
}

/** The one file that imports a package, or the folder whose files may. valibot is at home wherever data enters. */
const HOMES: Record<string, string> = {
  '@tinyhttp/app': 'src/http/pipeline/pipeline.ts',
  '@valibot/to-json-schema': 'src/http/openapi/json-schemas.ts',
  'better-sqlite3': 'src/storage/sqlite/connection.ts',
  croner: 'src/exports/schedules.ts',
  'csv-stringify': 'src/exports/formats/csv-lines.ts',
  hucre: 'src/exports/formats/workbook.ts',
  'fast-xml-builder': 'src/exports/formats/xml.ts',
  'ipaddr.js': 'src/exports/',
  jose: 'src/services/accounts/tokens.ts',
  marked: 'src/documentation/guides.ts',
  pg: 'src/storage/postgres/connection.ts',
  pino: 'src/observing/log.ts',
  'prom-client': 'src/observing/metrics.ts',
  'pino-pretty': 'src/observing/log.ts',
  preact: 'console/',
  '@preact/signals': 'console/',
  re2js: 'src/domain/values/patterns.ts',
  saxes: 'src/imports/xml-events.ts',
  yauzl: 'src/imports/archive.ts',
  'cli-progress': 'src/cli/progress.ts',
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

function isAllowed({ file, target, isTypeOnly, isLazy }: Import): boolean {
  if (file === KNOWS_ALL) return true
  const place = placeOf(file)
  if (place === undefined) return false
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
    assert.ok(imports.some(({ target }) => target === 'src/storage/port.ts'))
  })

  it('every file has a place in it', () => {
    assert.deepEqual(
      files.filter((file) => file !== KNOWS_ALL && placeOf(file) === undefined),
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
    assert.deepEqual(readers(/process\.env\b/), ['src/settings/config.ts'])
    assert.deepEqual(readers(/new Date\(\)|Date\.now\(\)|Math\.random\(\)|randomBytes\b.*node:crypto/), [
      'src/machine/system.ts',
    ])
  })

  it('every endpoint is named in a test, as its method and path', () => {
    const texts = listFiles('test')
      .filter((file) => file.startsWith('test/http/') && file.endsWith('.test.ts'))
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
