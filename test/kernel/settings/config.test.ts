// Settings: flags, PIMLET_ variables and a file mean the same. Contract 2 §8.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { readConfig, readFirstStartSecrets } from '../../../src/kernel/settings/config.ts'
import { readConnection, readDataDir } from '../../../src/kernel/settings/workspace-place.ts'
import { findNearest } from '../../../src/kernel/input/nearest.ts'
import { UsageError } from '../../../src/kernel/machine/start-error.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

function writeSettings(settings: unknown): string {
  const file = path.join(makeTempDirectory(), 'settings.json')
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings))
  return file
}

const isUsageError =
  (...named: string[]) =>
  (error: unknown) => {
    assert.ok(error instanceof UsageError)
    assert.equal(error.exitCode, 2)
    for (const name of named) assert.ok(error.message.includes(name), `'${error.message}' does not name ${name}`)
    return true
  }

const samples: [flag: string, text: string, field: string, value: unknown][] = [
  ['host', '0.0.0.0', 'host', '0.0.0.0'],
  ['database-url', 'postgres://pimlet@db/pimlet', 'databaseUrl', 'postgres://pimlet@db/pimlet'],
  ['workspace-name', 'Our shop', 'workspaceName', 'Our shop'],
  ['port', '0', 'port', 0],
  ['base-path', '/pim/', 'basePath', '/pim'],
  ['base-path', '/', 'basePath', ''],
  ['public-url', 'https://pim.example.com/tea/', 'publicUrl', 'https://pim.example.com/tea'],
  ['max-records', '0', 'maxRecords', 0],
  ['max-body', '64KB', 'maxBody', 65_536],
  ['max-body-values', '1000', 'maxBodyValues', 1000],
  ['max-held', '128mb', 'maxHeld', 128 * 1024 ** 2],
  ['max-import', '2gb', 'maxImport', 2 * 1024 ** 3],
  ['max-renditions', '5gb', 'maxRenditions', 5 * 1024 ** 3],
  ['picture-workers', '4', 'pictureWorkers', 4],
  ['query-timeout', '5', 'queryTimeout', 5],
  ['plugins-dir', '/tmp', 'pluginsDir', '/tmp'],
  ['log-level', 'debug', 'logLevel', 'debug'],
  ['log-format', 'json', 'logFormat', 'json'],
  ['allow-destination', '10.0.0.0/8', 'allowDestinations', ['10.0.0.0/8']],
  ['no-console', 'true', 'servesConsole', false],
  ['cors-origin', 'https://a.example', 'corsOrigins', ['https://a.example']],
  ['trust-proxy', '127.0.0.1', 'trustedProxies', ['127.0.0.1']],
]

describe('Settings', () => {
  it('a directory of plugins that is named and missing stops the start', () => {
    for (const given of [{ 'plugins-dir': '/nowhere' }, { 'plugins-dir': import.meta.filename }])
      assert.throws(
        () => readConfig({ 'data-dir': '/d', ...given }, {}),
        /^UsageError: --plugins-dir: there is no directory \//,
      )
    assert.throws(
      () => readConfig({ 'data-dir': '/d' }, { PIMLET_PLUGINS_DIR: '/nowhere' }),
      /^UsageError: PIMLET_PLUGINS_DIR: there is no directory \/nowhere/,
    )
  })

  it('have the defaults of the documentation', () => {
    const { logFormat, ...config } = readConfig({ 'data-dir': '/d' }, {})
    assert.ok(['pretty', 'json'].includes(logFormat))
    assert.deepEqual(config, {
      dataDir: '/d',
      databaseUrl: undefined,
      workspaceName: 'd',
      host: '127.0.0.1',
      port: 8080,
      basePath: '',
      maxRecords: 500,
      maxBody: 10_485_760,
      maxBodyValues: 200_000,
      maxHeld: 64 * 1024 ** 2,
      maxImport: 10 * 1024 ** 3,
      files: undefined,
      filesConfig: undefined,
      maxFile: 200 * 1024 ** 2,
      keepFilesDays: 30,
      maxRenditions: 1024 ** 3,
      pictureWorkers: 2,
      publicUrl: '',
      queryTimeout: 30,
      pluginsDir: '/d/plugins',
      keepRuns: 1000,
      keepAuditDays: 0,
      keepJobsDays: 30,
      logLevel: 'info',
      allowDestinations: [],
      servesConsole: true,
      corsOrigins: [],
      trustedProxies: [],
    })
  })

  for (const [flag, text, field, value] of samples)
    it(`--${flag} means the same as a flag, a variable and in a file, and the flag wins`, () => {
      const variable = `PIMLET_${flag.replaceAll('-', '_').toUpperCase()}`
      const file = writeSettings({ 'data-dir': '/d', [flag]: text })
      const other = { 'data-dir': '/d' }
      const configs = [
        readConfig({ ...other, [flag]: text }, {}),
        readConfig(other, { [variable]: text }),
        readConfig({ config: file }, {}),
        readConfig({}, { PIMLET_CONFIG: file }),
        readConfig({ ...other, [flag]: text }, { [variable]: 'nonsense' }),
      ]
      for (const config of configs) assert.deepEqual((config as unknown as Record<string, unknown>)[field], value)
    })

  it('a list is repeated as a flag, parted by commas in a variable, an array in a file', () => {
    const list = ['10.0.0.0/8', 'localhost']
    const file = writeSettings({ 'allow-destination': list })
    for (const config of [
      readConfig({ 'data-dir': '/d', 'allow-destination': list }, {}),
      readConfig({ 'data-dir': '/d' }, { PIMLET_ALLOW_DESTINATION: '10.0.0.0/8, localhost' }),
      readConfig({ 'data-dir': '/d', config: file }, {}),
    ])
      assert.deepEqual(config.allowDestinations, list)
  })

  it('a switch is there or not as a flag, and true or false elsewhere', () => {
    const servesConsole = (flags: object, environment = {}) =>
      readConfig({ 'data-dir': '/d', ...flags }, environment).servesConsole
    const off = writeSettings({ 'no-console': true })
    assert.deepEqual(
      [
        servesConsole({ 'no-console': true }),
        servesConsole({ config: off }),
        servesConsole({ config: off, 'no-console': [true, false] }),
        servesConsole({}, { PIMLET_NO_CONSOLE: '1' }),
        servesConsole({}, { PIMLET_NO_CONSOLE: 'false' }),
      ],
      [false, false, true, false, true],
    )
  })

  it('origins are such as browsers send', () => {
    const origins = [
      '*',
      'null',
      'https://shop.example',
      'http://localhost:5173',
      'http://[::1]:8080',
      'capacitor://localhost',
    ]
    assert.deepEqual(readConfig({ 'data-dir': '/d', 'cors-origin': origins }, {}).corsOrigins, origins)
  })

  it('a wrong value is refused, naming the setting as it was given', () => {
    const wrong: [object, Record<string, string>, string][] = [
      [{ port: '65536' }, {}, '--port'],
      [{ port: 'http' }, {}, '--port'],
      [{ port: '-1' }, {}, '--port'],
      [{ port: ['1', '2'] }, {}, '--port is given more than once'],
      [{}, { PIMLET_PORT: '8o8o' }, 'PIMLET_PORT'],
      [{ 'max-records': '1.5' }, {}, '--max-records'],
      [{ 'max-body': '10gb' }, {}, '--max-body'],
      [{ 'max-body': '0' }, {}, '--max-body'],
      [{ 'max-body': '1000mb' }, {}, '--max-body'],
      [{ 'log-level': 'loud' }, {}, '--log-level'],
      [{}, { PIMLET_NO_CONSOLE: 'yes' }, 'PIMLET_NO_CONSOLE'],
      [{ host: ['a', 'b'] }, {}, '--host'],
      [{ 'trust-proxy': ['10.0.0.0/33'] }, {}, '--trust-proxy'],
      ...['pim', '//pim', '/a//b', '/../a', '/a/.', '/a b', '/ä', `/${'a'.repeat(200)}`].map(
        (path): [object, Record<string, string>, string] => [{ 'base-path': path }, {}, '--base-path'],
      ),
      ...[
        'pim.example.com',
        'ftp://a.example',
        'https://u:p@a.example',
        'https://a.example/?b',
        'https://a.example/#b',
      ].map((address): [object, Record<string, string>, string] => [{ 'public-url': address }, {}, '--public-url']),
      [{ 'workspace-name': ' ' }, {}, '--workspace-name'],
      [{ 'database-url': 'mysql://pimlet@db/pimlet' }, {}, '--database-url'],
      [{ 'workspace-name': 'a\nb' }, {}, '--workspace-name'],
      [{ 'workspace-name': 'x'.repeat(201) }, {}, '--workspace-name'],
      [{}, { PIMLET_TRUST_PROXY: '127.0.0.1,x' }, 'PIMLET_TRUST_PROXY'],
      [{ 'query-timeout': '0' }, {}, '--query-timeout'],
      [{ 'max-body-values': '0' }, {}, '--max-body-values'],
      [{ 'cors-origin': ['shop.example'] }, {}, "--cors-origin: 'shop.example'"],
      [{ 'cors-origin': ['*', 'https://shop.example/'] }, {}, "--cors-origin: 'https://shop.example/'"],
      [{}, { PIMLET_CORS_ORIGIN: 'https://Shop.example' }, 'PIMLET_CORS_ORIGIN'],
      [{ config: writeSettings({ port: 'x' }) }, {}, "'port'"],
      [{ config: writeSettings({ prot: 1 }) }, {}, "'port'"],
      [{ config: writeSettings('{') }, {}, 'not valid JSON'],
      [{ config: writeSettings([]) }, {}, 'object'],
      [{ config: '/nowhere/at/all.json' }, {}, 'no such file'],
    ]
    for (const [flags, environment, named] of wrong)
      assert.throws(() => readConfig({ 'data-dir': '/d', ...flags }, environment), isUsageError(named))
    assert.throws(() => readConfig({}, {}), isUsageError('--data-dir'))
  })

  it('secrets of the first start are checked, and never shown', () => {
    assert.deepEqual(readFirstStartSecrets({}), { adminPassword: undefined, adminApiKey: undefined })
    const given = { PIMLET_ADMIN_PASSWORD: 'long enough', PIMLET_ADMIN_API_KEY: 'k'.repeat(32) }
    assert.deepEqual(readFirstStartSecrets(given), { adminPassword: 'long enough', adminApiKey: 'k'.repeat(32) })
    assert.throws(
      () => readFirstStartSecrets({ PIMLET_ADMIN_PASSWORD: 'short' }),
      isUsageError('PIMLET_ADMIN_PASSWORD'),
    )
    for (const key of ['k'.repeat(31), `${'k'.repeat(40)} `, 'ä'.repeat(40)])
      assert.throws(
        () => readFirstStartSecrets({ PIMLET_ADMIN_API_KEY: key }),
        (error: unknown) =>
          isUsageError('PIMLET_ADMIN_API_KEY', '32')(error) && !(error as Error).message.includes(key),
      )
  })

  it('a name with a slip suggests the right one, nonsense suggests nothing', () => {
    assert.equal(findNearest('prot', ['host', 'port']), 'port')
    assert.equal(findNearest('data-dri', ['data-dir', 'port']), 'data-dir')
    assert.equal(findNearest('something-else-entirely', ['data-dir', 'port']), undefined)
  })

  it('--data-dir, --url and --api-key too mean the same as a flag, a variable and in a file', () => {
    const file = writeSettings({ 'data-dir': '/d', url: 'http://h:1/', 'api-key': 'k', port: 1 })
    const variables = { PIMLET_DATA_DIR: '/d', PIMLET_URL: 'http://h:1/', PIMLET_API_KEY: 'k' }
    const given: [object, Record<string, string>][] = [
      [{ 'data-dir': '/d', url: 'http://h:1/', 'api-key': 'k' }, {}],
      [{}, variables],
      [{ config: file }, {}],
      [{}, { PIMLET_CONFIG: file }],
    ]
    for (const [flags, environment] of given) {
      assert.equal(readDataDir({ ...flags }, '', environment), '/d')
      const { url, apiKey } = readConnection({ ...flags }, environment)
      assert.deepEqual([url.href, apiKey], ['http://h:1/', 'k'])
    }
    assert.throws(() => readDataDir({}, '', {}), isUsageError('--data-dir'))
    assert.throws(() => readConnection({}, {}), isUsageError('PIMLET_API_KEY'))
  })
})
