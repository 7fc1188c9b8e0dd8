// The s3 destination, against the fixture in every run and against OpenStack Swift where it is installed.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import s3 from '../../plugins/s3.ts'
import { makeExportFile } from '../helpers/export-file.ts'
import { makeLeftovers, makeNetwork, makeRunContext } from '../helpers/run-context.ts'
import { startS3Fixture, type S3Fixture } from '../helpers/s3-fixture.ts'
import { askS3, listObjects, listUploads, readObject, type S3Server } from '../helpers/s3-onlooker.ts'
import { shareServer } from '../helpers/shared-server.ts'
import { startSwift, swiftIsAbsent } from '../helpers/swift.ts'
import { destinationContract, type Address, type ContractServer, type RawConfig } from './contract.ts'
import { s3ProtocolTable } from './s3-protocol.ts'

const BUCKET = 'pim-exports'
const PROTOCOL_BUCKET = 'protocol-table'
const PATH = 'shop/nightly'
const ACCOUNT = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+secret', region: 'eu-central-1' }

function asContractServer(server: S3Server & { close(): Promise<void> }): ContractServer {
  const { accessKeyId, secretAccessKey, region } = server.account
  const config = (at: Address): RawConfig => ({
    bucket: BUCKET,
    path: `/${PATH}/`,
    region,
    endpoint: `http://${at.host}:${at.port}`,
    accessKeyId,
    secretAccessKey,
  })
  return {
    address: server,
    config,
    wrongCredentials: (at) => ({
      'wrong secret': { ...config(at), secretAccessKey: 'not-the-secret-of-anybody' },
      'unknown key': { ...config(at), accessKeyId: 'AKIDNOBODY' },
    }),
    missingTarget: (at) => ({ 'no such bucket': { ...config(at), bucket: 'no-such-bucket' } }),
    impatient: (raw) => ({ ...raw, timeoutSeconds: 1 }),
    path: (name) => `s3://${BUCKET}/${PATH}/${name}`,
    read: (name) => readObject(server, BUCKET, `${PATH}/${name}`),
    visible: () => listObjects(server, BUCKET),
    hidden: () => listUploads(server, BUCKET),
    secrets: [secretAccessKey, 'not-the-secret-of-anybody'],
    close: () => server.close(),
  }
}

const startFixture = (): Promise<S3Fixture> => startS3Fixture({ account: ACCOUNT, buckets: [BUCKET] })

const startSharedSwift = shareServer(startSwift)

async function startSwiftWithBucket(bucket: string) {
  const swift = await startSharedSwift()
  const { status } = await askS3(swift, { method: 'PUT', url: `/${bucket}` })
  if (status === 200) return swift
  await swift.close()
  throw new Error(`Swift answered ${status} to the making of a bucket`)
}

// At the same time: much of it is waiting for links that are dead or slow.
describe('The destination s3', { concurrency: true }, () => {
  destinationContract('s3 on the fixture', s3, async () => asContractServer(await startFixture()))
  destinationContract('s3 on OpenStack Swift', s3, async () => asContractServer(await startSwiftWithBucket(BUCKET)), {
    skip: swiftIsAbsent(),
  })
  s3ProtocolTable('the fixture as an S3 server', BUCKET, startFixture)
  s3ProtocolTable(
    'OpenStack Swift as an S3 server',
    PROTOCOL_BUCKET,
    () => startSwiftWithBucket(PROTOCOL_BUCKET),
    swiftIsAbsent(),
  )
})

describe('s3', () => {
  let fixture: S3Fixture
  let config: Awaited<ReturnType<typeof parse>>

  before(async () => {
    fixture = await startFixture()
    config = await parse(asContractServer(fixture).config(fixture))
  })
  after(() => fixture.close())

  it('sends checksums in headers, never as trailers, and the content type', async () => {
    const file = await makeExportFile('checked.csv.gz', 20_000_000, 'application/gzip')
    const from = fixture.requests.length
    await s3.deliver(file, config, makeRunContext())
    const parts = fixture.requests.slice(from).filter(({ method }) => method === 'PUT')
    assert.equal(parts.length, 3)
    for (const { headers } of parts) {
      assert.ok(headers['x-amz-checksum-crc32'])
      assert.match(String(headers['x-amz-content-sha256']), /^[0-9a-f]{64}$/)
      assert.equal(headers['x-amz-trailer'], undefined)
    }
    assert.equal(fixture.store.get(BUCKET, `${PATH}/checked.csv.gz`).contentType, 'application/gzip')
  })

  it('leaves checksums out for stores that do not know them', async () => {
    const from = fixture.requests.length
    await s3.deliver(await makeExportFile('old.csv', 9_000_000), { ...config, checksums: false }, makeRunContext())
    const names = fixture.requests.slice(from).flatMap(({ headers }) => Object.keys(headers))
    assert.deepEqual(
      names.filter((name) => /checksum|sdk-checksum/.test(name)),
      [],
    )
  })

  it('makes the parts larger where the file would need more than the store takes', async () => {
    const file = await makeExportFile('huge.csv', 10)
    const from = fixture.requests.length
    const failed = s3.deliver({ ...file, size: 9000 * 20_000_000, open: () => endless() }, config, makeRunContext())
    fixture.failNext('PUT', [{ status: 400, code: 'InvalidRequest' }])
    await assert.rejects(failed, /InvalidRequest/)
    const part = fixture.requests.slice(from).find(({ method }) => method === 'PUT')
    assert.equal(part?.headers['content-length'], '20000000')
  })

  it('fails when the store holds another size than was sent', async () => {
    const file = await makeExportFile('short.csv', 1000)
    await assert.rejects(
      s3.deliver({ ...file, size: 1001 }, config, makeRunContext()),
      /holds 1000 bytes instead of 1001/,
    )
  })

  it('tries a busy store again, and passes on how long it asks to wait', async () => {
    const file = await makeExportFile('busy.csv', 100)
    fixture.failNext('PUT', [{ status: 503, code: 'SlowDown' }])
    await s3.deliver(file, config, makeRunContext())
    const busy = { status: 503, code: 'SlowDown', headers: { 'retry-after': '1' } }
    fixture.failNext('PUT', [busy, busy, busy])
    await assert.rejects(s3.deliver(file, config, makeRunContext()), { name: 'RetryLaterError', retryAfterMs: 1000 })
    fixture.failNext('PUT', [])
  })

  const answers: [number, string, boolean][] = [
    [500, 'InternalError', false],
    [503, 'SlowDown', false],
    [400, 'RequestTimeout', false],
    [400, 'BadDigest', false],
    [409, 'OperationAborted', false],
    [400, 'InvalidRequest', true],
    [301, 'PermanentRedirect', true],
    [403, 'AccessDenied', true],
    [404, 'NoSuchBucket', true],
    [501, 'NotImplemented', true],
  ]
  for (const [status, code, permanent] of answers) {
    it(`takes ${code} (${status}) for ${permanent ? 'final' : 'passing'}`, async () => {
      const failure = { status, code, message: `echo ${ACCOUNT.secretAccessKey}` }
      fixture.failNext('PUT', [failure, failure])
      const error = await s3
        .deliver(await makeExportFile('a.csv', 10), config, makeRunContext())
        .catch((e: unknown) => e)
      fixture.failNext('PUT', [])
      assert.ok(error instanceof Error)
      assert.equal('permanent' in error && error.permanent === true, permanent, error.message)
      assert.match(error.message, new RegExp(`${code} \\(HTTP ${status}\\)`))
      assert.ok(!error.message.includes(ACCOUNT.secretAccessKey))
      assert.ok(!error.message.includes('undefined'))
    })
  }

  it('finds an upload whose id never arrived, and leaves the uploads of others alone', async () => {
    const key = `${PATH}/lost.csv`
    const leftovers = makeLeftovers(
      JSON.stringify({ bucket: BUCKET, key, endpoint: config.endpoint, since: Date.now() - 60_000 }),
    )
    const ours = fixture.store.begin(BUCKET, key, 'text/csv', new Date(Date.now() - 59_000))
    const others = [
      fixture.store.begin(BUCKET, key, 'text/csv', new Date(Date.now() - 3_600_000)),
      fixture.store.begin(BUCKET, `${key}.bak`, 'text/csv', new Date(Date.now() - 59_000)),
    ]
    await s3.sweep?.(config, makeRunContext({ leftovers }))
    assert.ok(!fixture.store.uploads.has(ours))
    for (const id of others) assert.ok(fixture.store.uploads.delete(id), 'not ours')
    assert.deepEqual(leftovers.names, [])
  })

  it('keeps the note of an upload that cannot be removed now, says so, and leaves notes of other stores alone', async () => {
    const elsewhere = JSON.stringify({
      bucket: BUCKET,
      key: 'k',
      endpoint: 'https://other.example',
      uploadId: 'u',
      since: 1,
    })
    const note = JSON.stringify({ bucket: BUCKET, key: 'k', endpoint: config.endpoint, uploadId: 'u', since: 1 })
    const context = makeRunContext({ leftovers: makeLeftovers('not ours', elsewhere, note) })
    fixture.failNext('DELETE', [{ status: 403, code: 'AccessDenied' }])
    await s3.sweep?.(config, context)
    assert.deepEqual(context.leftovers.names, ['not ours', elsewhere, note])
    assert.match(context.lines.join(), /stays for now: S3 answered AccessDenied/)
    await s3.sweep?.(config, context)
    assert.deepEqual(context.leftovers.names, ['not ours', elsewhere], 'an upload that the store does not know is gone')
  })

  it('says which right is missing when the store shows no sizes', async () => {
    fixture.failNext('HEAD', [{ status: 403, code: 'AccessDenied' }])
    await assert.rejects(s3.deliver(await makeExportFile('blind.csv', 10), config, makeRunContext()), {
      permanent: true,
      message: /s3:GetObject/,
    })
  })

  it('hears a refusal also from a store that closes the connection in the middle of a body', async () => {
    const rude = createServer((request, response) => {
      if (request.method === 'PUT') request.once('data', () => request.socket.resetAndDestroy())
      else response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    }).listen(0, '127.0.0.1')
    await once(rude, 'listening')
    const own = { ...config, endpoint: `http://127.0.0.1:${(rude.address() as AddressInfo).port}` }
    await assert.rejects(s3.deliver(await makeExportFile('refused.csv', 6_000_000), own, makeRunContext()), {
      permanent: true,
      message: /SignatureDoesNotMatch/,
    })
    rude.close()
  })

  it('sends a session token', async () => {
    const strict = await startS3Fixture({ account: ACCOUNT, buckets: [BUCKET], sessionToken: 'session-token-1' })
    const own = { ...config, endpoint: `http://${strict.host}:${strict.port}` }
    await s3.deliver(await makeExportFile('t.csv', 10), { ...own, sessionToken: 'session-token-1' }, makeRunContext())
    await assert.rejects(s3.deliver(await makeExportFile('t.csv', 10), own, makeRunContext()), { permanent: true })
    await strict.close()
  })

  describe('without keys', () => {
    const saved = { ...process.env }
    after(() => {
      process.env = saved
    })
    let keyless: typeof config
    before(() => {
      keyless = { ...config, accessKeyId: undefined, secretAccessKey: undefined }
    })

    it('takes those of the environment', async () => {
      process.env = {
        ...withoutAws(),
        AWS_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
        AWS_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
      }
      await s3.deliver(await makeExportFile('env.csv', 10), keyless, makeRunContext())
      assert.equal(fixture.store.get(BUCKET, `${PATH}/env.csv`).body.length, 10)
    })

    it('fails at once where there are none, and asks no metadata service that the network refuses', async () => {
      process.env = withoutAws()
      const network = makeNetwork(['169.254.169.254'])
      const started = performance.now()
      await assert.rejects(s3.deliver(await makeExportFile('none.csv', 10), keyless, makeRunContext({ network })), {
        permanent: true,
        message: /no AWS credentials/,
      })
      assert.ok(performance.now() - started < 10_000)
      assert.ok(network.asked.includes('169.254.169.254'))
    })

    it('asks no container credentials service that the network refuses', async () => {
      process.env = { ...withoutAws(), AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/role' }
      const network = makeNetwork(['169.254.170.2'])
      await assert.rejects(s3.deliver(await makeExportFile('none.csv', 10), keyless, makeRunContext({ network })), {
        permanent: true,
        message: /169\.254\.170\.2/,
      })
    })
  })

  const faults: [RawConfig, string, RegExp][] = [
    [{ bucket: undefined }, 'bucket', /bucket is required|bucket must be a string/],
    [{ bucket: 'a/b' }, 'bucket', /name of a bucket/],
    [{ bucket: 7 }, 'bucket', /must be a string/],
    [{ region: 'x@evil.example#' }, 'region', /must be a region/],
    [{ endpoint: 'ftp://files.example' }, 'endpoint', /http or https/],
    [{ endpoint: 'https://user:word@files.example' }, 'endpoint', /without user/],
    [{ endpoint: 'files.example' }, 'endpoint', /http or https/],
    [{ endpoint: 'https://files.example/?a=1' }, 'endpoint', /query/],
    [{ path: 'a/../b' }, 'path', /"\.\."/],
    [{ path: 'a//b' }, 'path', /empty segments/],
    [{ path: 'a\nb' }, 'path', /control characters/],
    [{ path: 'x'.repeat(701) }, 'path', /at most 700/],
    [{ secretAccessKey: undefined }, 'secretAccessKey', /required with accessKeyId/],
    [{ accessKeyId: undefined }, 'accessKeyId', /required with secretAccessKey/],
    [{ timeoutSeconds: 0 }, 'timeoutSeconds', /at least 1/],
    [{ checksums: 'no' }, 'checksums', /true or false/],
  ]
  for (const [change, field, message] of faults) {
    it(`refuses the config ${JSON.stringify(change).slice(0, 60)}, naming ${field}`, async () => {
      const raw = { ...asContractServer(fixture).config(fixture), ...change }
      const result = await s3.config['~standard'].validate(JSON.parse(JSON.stringify(raw)))
      assert.equal(result.issues?.length, 1)
      assert.match(result.issues[0]?.message ?? '', message)
      const [key] = result.issues[0]?.path ?? []
      assert.equal(typeof key === 'object' ? key.key : key, field)
    })
  }

  it('refuses a file name that makes the key longer than a store takes', async () => {
    const file = await makeExportFile('ü'.repeat(600), 1)
    await assert.rejects(s3.deliver(file, config, makeRunContext()), { permanent: true, message: /1024 bytes/ })
  })
})

async function parse(raw: RawConfig) {
  const result = await s3.config['~standard'].validate(raw)
  assert.ok(!result.issues)
  return result.value
}

function withoutAws(): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))
  return { ...Object.fromEntries(plain), AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' }
}

function endless() {
  return Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024)
    })(),
  )
}
