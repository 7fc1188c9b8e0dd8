// The settings of an export job's destination: secrets that are kept, misspelt keys, and addresses that may not be reached.
// Contract 3 §9.1, 3 §9.5.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { getJob, type JobBody, makeJob } from '../../helpers/export-jobs.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v1/export-jobs'

type Config = Record<string, unknown>

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const body = (destinationType: string, destinationConfig: Config) => ({
  name: 'Nightly',
  format: 'csv',
  schedule: '0 3 1 1 *',
  includeVariants: true,
  compress: false,
  filenameTemplate: 'export-{runId}.csv',
  destinationType,
  destinationConfig,
})
const post = (type: string, config: Config) => send<JobBody>(server.admin, 'POST', PATH, body(type, config))
const put = (id: string, job: object) => send<JobBody>(server.admin, 'PUT', `${PATH}/${id}`, job)

describe('A stored secret of a built-in destination', () => {
  const [ACCOUNT_KEY, OTHER_KEY] = ['first', 'second'].map((text) => Buffer.from(text.repeat(12)).toString('base64'))
  const PRINT = `SHA256:${'A'.repeat(43)}`
  const OTHER_PRINT = `SHA256:${'B'.repeat(42)}A`
  const azure = { container: 'files', accountName: 'shop', accountKey: ACCOUNT_KEY }
  const account = 'https://shop.blob.core.windows.net'
  const sas = (host: string, container: string) => `https://${host}/${container}?sr=c&sig=x`
  const at = (protocol: string) =>
    `DefaultEndpointsProtocol=${protocol};AccountName=shop;AccountKey=${ACCOUNT_KEY};EndpointSuffix=core.windows.net`
  /** Settings; the field that is kept; changes with which it is, and changes with which it must be sent again. */
  const cases: [type: string, config: Config, field: string, stays: Config[], moves: [Config, key: string][]][] = [
    [
      'webhook',
      { url: 'https://shop.example/in?a=1', headers: { Authorization: 'Bearer x' } },
      'headers.Authorization',
      [{ url: 'https://SHOP.example:443/other?b=2' }, { method: 'PUT' }, { timeoutSeconds: 5 }],
      [
        [{ url: 'http://shop.example/in' }, 'url'],
        [{ url: 'https://shop.example:8443/in' }, 'url'],
        [{ url: 'https://shop.example.evil.example/in' }, 'url'],
      ],
    ],
    [
      'webhook',
      { url: 'https://shop.example/', signingSecret: 'x' },
      'signingSecret',
      [],
      [[{ url: 'https://b.example/' }, 'url']],
    ],
    [
      's3',
      { bucket: 'files', region: 'eu-central-1', accessKeyId: 'a', secretAccessKey: 's' },
      'secretAccessKey',
      [{ bucket: 'other' }, { path: 'deep' }, { accessKeyId: 'b' }, { checksums: false }],
      [
        [{ region: 'eu-west-1' }, 'region'],
        [{ endpoint: 'https://evil.example' }, 'endpoint'],
      ],
    ],
    [
      's3',
      { bucket: 'files', region: 'x', accessKeyId: 'a', secretAccessKey: 's', endpoint: 'https://store.example/a' },
      'secretAccessKey',
      [{ endpoint: 'https://store.example:443/b' }, { bucket: 'other' }, { region: 'y' }],
      [
        [{ endpoint: 'http://store.example/a' }, 'endpoint'],
        [{ endpoint: 'https://store.example:444/a' }, 'endpoint'],
        [{ endpoint: undefined }, 'region'],
      ],
    ],
    [
      'sftp',
      { host: 'files.example', username: 'u', password: 'p', hostKeySha256: PRINT },
      'password',
      [{ host: 'FILES.example' }, { port: 22 }, { path: '/deep' }, { hostKeySha256: PRINT.slice(7) }],
      [
        [{ host: 'evil.example' }, 'host'],
        [{ port: 2222 }, 'port'],
        [{ hostKeySha256: OTHER_PRINT }, 'hostKeySha256'],
        [{ hostKeySha256: undefined, acceptAnyHostKey: true }, 'hostKeySha256'],
        [{ acceptAnyHostKey: true }, 'acceptAnyHostKey'],
      ],
    ],
    [
      'azure-blob',
      azure,
      'accountKey',
      [{ container: 'other' }, { path: 'deep' }],
      [
        [{ accountName: 'evil' }, 'accountName'],
        [{ endpoint: 'https://evil.example' }, 'endpoint'],
      ],
    ],
    [
      'azure-blob',
      { ...azure, endpoint: `${account}/a` },
      'accountKey',
      [{ endpoint: account }, { endpoint: undefined }],
      [
        [{ endpoint: 'http://shop.blob.core.windows.net' }, 'endpoint'],
        [{ accountName: 'other' }, 'accountName'],
      ],
    ],
    ['azure-blob', { container: 'files', sasUrl: sas('shop.example', 'files') }, 'sasUrl', [{ path: 'deep' }], []],
    [
      'azure-blob',
      { container: 'files', connectionString: at('https') },
      'connectionString',
      [{ container: 'b23' }],
      [],
    ],
  ]
  for (const [type, config, field, stays, moves] of cases)
    it(`to ${type} (${Object.keys(config).join(', ')}) is kept at the same place, and asked for again at another`, async () => {
      const job = await makeJob(server.admin, body(type, config))
      const change = (more: Config) => put(job.id, { ...job, destinationConfig: { ...job.destinationConfig, ...more } })
      for (const [more, key] of moves) {
        const answer = await change(more)
        assertRefused(answer, 'VALIDATION_ERROR', `destinationConfig.${field} must be sent again`, `another ${key} `)
        assert.deepEqual((await getJob(server.admin, job.id)).destinationConfig, job.destinationConfig)
        const [outer = '', inner] = field.split('.')
        const secret = field === 'accountKey' ? OTHER_KEY : 'sent-anew'
        const anew = await change({ ...more, [outer]: inner === undefined ? secret : { [inner]: secret } })
        assert.equal(anew.status, 200, anew.text)
        assert.equal((await change(config)).status, 200)
      }
      for (const more of stays) {
        const answer = await change(more)
        assert.equal(answer.status, 200, answer.text)
        assert.equal((await change({})).status, 200)
      }
    })
})

describe('A misspelt setting of a built-in destination', () => {
  const cases: [type: string, config: Config, named: string][] = [
    ['s3', { bucket: 'b-1', region: 'r', accessKeyId: 'a', secretAccesKey: 'hidden-4711' }, "'secretAccessKey'"],
    ['webhook', { url: 'https://shop.example/', signingsecret: 'hidden-4711' }, "'signingSecret'"],
    ['sftp', { host: 'h', username: 'u', pasword: 'hidden-4711', acceptAnyHostKey: true }, "'password'"],
    ['azure-blob', { container: 'files', accountName: 'shop', acountKey: 'hidden-4711' }, "'accountKey'"],
  ]
  for (const [destinationType, destinationConfig, named] of cases)
    it(`${destinationType}: is refused, naming the one that was meant, and no secret`, async () => {
      const answer = await post(destinationType, destinationConfig)
      assertRefused(answer, 'VALIDATION_ERROR', "Unknown member 'destinationConfig.", `did you mean ${named}?`)
      assert.ok(!answer.text.includes('hidden-4711'))
    })
})

describe('An address that may not be reached', () => {
  const cases: [type: string, config: Config, field: string][] = [
    ['webhook', { url: 'http://127.0.0.1:9/x' }, 'url'],
    ['webhook', { url: 'http://0x7f.1/x' }, 'url'],
    ['webhook', { url: 'http://[::1]/x' }, 'url'],
    ['webhook', { url: 'http://localhost/x' }, 'url'],
    ['webhook', { url: 'http://169.254.169.254/latest/meta-data' }, 'url'],
    ['s3', { bucket: 'b-1', region: 'r', endpoint: 'http://minio.localhost:9000' }, 'endpoint'],
    ['sftp', { host: '2130706433', username: 'u', password: 'hidden-4711', acceptAnyHostKey: true }, 'host'],
    ['sftp', { host: '[::ffff:127.0.0.1]', username: 'u', password: 'hidden-4711', acceptAnyHostKey: true }, 'host'],
    ['azure-blob', { container: 'files', sasUrl: 'http://127.0.0.1:10000/a/files?sr=c&sig=hidden-4711' }, 'sasUrl'],
  ]
  for (const [destinationType, destinationConfig, field] of cases)
    it(`${destinationType} ${JSON.stringify(destinationConfig).slice(0, 60)} is refused when the job is saved`, async () => {
      const answer = await post(destinationType, destinationConfig)
      assertRefused(answer, 'VALIDATION_ERROR', `destinationConfig.${field}`, 'is refused', '--allow-destination')
      assert.ok(!answer.text.includes('hidden-4711'))
      const job = await makeJob(server.admin, body('webhook', { url: 'https://shop.example/' }))
      assertRefused(await put(job.id, body(destinationType, destinationConfig)), 'VALIDATION_ERROR', field)
    })

  it('is judged later where only the resolver knows it', async () => {
    const destinationConfig = { url: 'http://intranet.example/' }
    await makeJob(server.admin, body('webhook', destinationConfig))
  })
})
