// The azure-blob destination, against Azurite with each kind of credentials, and against a server that answers by order.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import {
  AccountSASPermissions,
  ContainerSASPermissions,
  generateAccountSASQueryParameters,
  generateBlobSASQueryParameters,
} from '@azure/storage-blob'
import azureBlob from '../../plugins/azure-blob.ts'
import { listBlobs, listUncommitted, readBlob, startAzurite, type Azurite } from '../helpers/azurite.ts'
import { makeExportFile } from '../helpers/export-file.ts'
import { sizeOf } from '../helpers/in-full.ts'
import { makeRunContext } from '../helpers/run-context.ts'
import { destinationContract, type Address, type ContractServer, type RawConfig } from './contract.ts'

const CONTAINER = 'pim-exports'
const PATH = 'shop/nightly'
const WRONG_KEY = Buffer.from('the key of somebody else').toString('base64')

type Credentials = (azurite: Azurite, endpoint: string) => RawConfig

const HOUR = 3_600_000
const signContainer = (azurite: Azurite, rights: string, ms = HOUR): string =>
  generateBlobSASQueryParameters(
    {
      containerName: CONTAINER,
      permissions: ContainerSASPermissions.parse(rights),
      startsOn: new Date(Date.now() - 2 * HOUR),
      expiresOn: new Date(Date.now() + ms),
    },
    azurite.credential,
  ).toString()

const kinds: Record<string, Credentials> = {
  'a connection string': ({ accountName, accountKey }, endpoint) => ({
    connectionString: `DefaultEndpointsProtocol=http;AccountName=${accountName};AccountKey=${accountKey};BlobEndpoint=${endpoint};`,
  }),
  'account name and key': ({ accountName, accountKey }, endpoint) => ({ accountName, accountKey, endpoint }),
  'a container SAS': (azurite, endpoint) => ({ sasUrl: `${endpoint}/${CONTAINER}?${signContainer(azurite, 'rcw')}` }),
  'an account SAS': ({ credential }, endpoint) => {
    const sas = generateAccountSASQueryParameters(
      {
        services: 'b',
        resourceTypes: 'co',
        permissions: AccountSASPermissions.parse('rcw'),
        expiresOn: new Date(Date.now() + HOUR),
      },
      credential,
    )
    return { sasUrl: `${endpoint}/?${sas.toString()}` }
  },
  'a connection string with a SAS': (azurite, endpoint) => ({
    connectionString: `BlobEndpoint=${endpoint};SharedAccessSignature=?${signContainer(azurite, 'rcw')}`,
  }),
}

const endpointAt = (azurite: Azurite, at: Address): string => `http://${at.host}:${at.port}/${azurite.accountName}`

async function startWithContainer(): Promise<Azurite> {
  const azurite = await startAzurite()
  await azurite.service.getContainerClient(CONTAINER).create()
  return azurite
}

function asContractServer(azurite: Azurite, credentials: Credentials): ContractServer {
  const config = (at: Address): RawConfig => ({
    container: CONTAINER,
    path: PATH,
    ...credentials(azurite, endpointAt(azurite, at)),
  })
  const { accountName, accountKey } = azurite
  const base = { container: CONTAINER, path: PATH }
  const expired = signContainer(azurite, 'rcw', -HOUR)
  const signature = new URLSearchParams(expired).get('sig') ?? ''
  return {
    address: azurite,
    config,
    wrongCredentials: (at) => ({
      'wrong key': { ...base, accountName, accountKey: WRONG_KEY, endpoint: endpointAt(azurite, at) },
      'expired SAS': { ...base, sasUrl: `${endpointAt(azurite, at)}/${CONTAINER}?${expired}` },
    }),
    missingTarget: (at) => ({
      'no such container': {
        ...kinds['account name and key']?.(azurite, endpointAt(azurite, at)),
        container: 'no-such-container',
      },
    }),
    impatient: (raw) => ({ ...raw, timeoutSeconds: 1 }),
    path: (name, at) =>
      `${endpointAt(azurite, at)}/${CONTAINER}/${encodeURIComponent(`${PATH}/${name}`).replaceAll('%2F', '/').replaceAll("'", '%27')}`,
    read: (name) => readBlob(azurite, CONTAINER, `${PATH}/${name}`),
    visible: () => listBlobs(azurite, CONTAINER),
    hidden: () => listUncommitted(azurite, CONTAINER),
    secrets: [accountKey, WRONG_KEY, 'sig=', signature, encodeURIComponent(signature)],
    close: () => azurite.close(),
  }
}

// At the same time: much of it is waiting for links that are dead or slow.
describe('The destination azure-blob', { concurrency: true }, () => {
  for (const kind of sizeOf({ full: ['account name and key', 'a container SAS'], short: ['a container SAS'] })) {
    destinationContract(
      `azure-blob on Azurite with ${kind}`,
      azureBlob,
      async () => asContractServer(await startWithContainer(), kinds[kind] ?? assert.fail()),
      { hiddenGoesWithNextDelivery: true },
    )
  }
})

describe('azure-blob', () => {
  let azurite: Azurite
  before(async () => {
    azurite = await startWithContainer()
  })
  after(() => azurite.close())

  for (const [kind, credentials] of Object.entries(kinds)) {
    it(`delivers with ${kind}, and names the blob without a query`, async () => {
      const config = await parse({ container: CONTAINER, ...credentials(azurite, endpointAt(azurite, azurite)) })
      const file = await makeExportFile(`${kind}.jsonl`, 5_000_000, 'application/x-ndjson')
      await azureBlob.check?.(config, makeRunContext())
      const { destinationPath } = await azureBlob.deliver(file, config, makeRunContext())
      assert.equal(destinationPath, `${endpointAt(azurite, azurite)}/${CONTAINER}/${encodeURIComponent(file.name)}`)
      assert.ok((await readBlob(azurite, CONTAINER, file.name))?.equals(await file.bytes()))
      const blob = azurite.service.getContainerClient(CONTAINER).getBlobClient(file.name)
      assert.equal((await blob.getProperties()).contentType, 'application/x-ndjson')
    })
  }

  it('finds in check() that the credentials may not write, and that they may not read', async () => {
    for (const [rights, message] of [
      ['r', /HTTP 403/],
      ['cw', /right to read/],
    ] as const) {
      const sasUrl = `${endpointAt(azurite, azurite)}/${CONTAINER}?${signContainer(azurite, rights)}`
      const config = await parse({ container: CONTAINER, sasUrl })
      await assert.rejects(async () => azureBlob.check?.(config, makeRunContext()), { permanent: true, message })
    }
  })

  it('does not commit an export file that is shorter than announced', async () => {
    const config = await parse({ container: CONTAINER, ...keyConfig(azurite) })
    const file = await makeExportFile('short.csv', 1000)
    await assert.rejects(
      azureBlob.deliver({ ...file, size: 1001 }, config, makeRunContext()),
      /1000 bytes instead of 1001/,
    )
    assert.equal(await readBlob(azurite, CONTAINER, 'short.csv'), undefined)
  })

  it('refuses a blob name that is too long', async () => {
    const config = await parse({ container: CONTAINER, ...keyConfig(azurite) })
    const file = await makeExportFile('x'.repeat(1025), 1)
    await assert.rejects(azureBlob.deliver(file, config, makeRunContext()), { permanent: true, message: /1024/ })
  })
})

describe('what azure-blob makes of an answer', () => {
  let server: Server
  let next: { status: number; headers: Record<string, string>; body?: string }
  let asked = 0
  let config: Awaited<ReturnType<typeof parse>>

  before(async () => {
    server = createServer((request, response) => {
      asked++
      request.resume().on('end', () => response.writeHead(next.status, next.headers).end(next.body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    config = await parse({
      container: CONTAINER,
      accountName: 'acc',
      accountKey: WRONG_KEY,
      endpoint: `http://127.0.0.1:${port}/acc`,
    })
  })
  after(() => server.close())

  const fails = async (): Promise<Error & { permanent?: boolean; retryAfterMs?: number }> => {
    const error = await azureBlob.deliver(await makeExportFile('a.csv', 10), config, makeRunContext()).then(
      () => assert.fail(),
      (error: unknown) => error,
    )
    assert.ok(error instanceof Error)
    return error
  }

  const answers: [number, string, boolean][] = [
    [500, 'InternalError', false],
    [503, 'ServerBusy', false],
    [408, 'OperationTimedOut', false],
    [429, 'TooManyRequests', false],
    [409, 'ContainerBeingDeleted', false],
    [400, 'Md5Mismatch', false],
    [400, 'InvalidInput', true],
    [401, 'NoAuthenticationInformation', true],
    [403, 'AuthenticationFailed', true],
    [404, 'ContainerNotFound', true],
    [412, 'LeaseIdMissing', true],
  ]
  for (const [status, code, permanent] of answers) {
    it(`takes ${code} (${status}) for ${permanent ? 'final' : 'passing'}`, async () => {
      next = {
        status,
        headers: { 'x-ms-error-code': code, 'content-type': 'application/xml' },
        body: `<Error><Code>${code}</Code><Message>echo ${WRONG_KEY}\nsecond line</Message></Error>`,
      }
      const error = await fails()
      assert.equal(error.permanent === true, permanent, error.message)
      assert.match(error.message, new RegExp(`${code} \\(HTTP ${status}\\)`))
      assert.ok(!error.message.includes(WRONG_KEY))
    })
  }

  it('passes on how long a busy server asks to wait', async () => {
    next = { status: 503, headers: { 'retry-after': '7', 'x-ms-error-code': 'ServerBusy' } }
    const error = await fails()
    assert.equal(error.name, 'RetryLaterError')
    assert.equal(error.retryAfterMs, 7000)
  })

  it('follows no redirect', async () => {
    next = { status: 307, headers: { location: 'http://127.0.0.1:1/elsewhere' } }
    asked = 0
    const error = await fails()
    assert.equal(error.permanent, true)
    assert.match(error.message, /redirect/)
    assert.equal(asked, 1)
  })

  it('cuts off an answer without end', async () => {
    next = { status: 400, headers: {}, body: 'x'.repeat(2_000_000) }
    const error = await fails()
    assert.match(error.message, /too long/)
  })
})

describe('the config of azure-blob', () => {
  const key = WRONG_KEY
  const sas = 'sv=2024-11-04&sr=c&sp=rcw&sig=c2VjcmV0'
  const faults: [RawConfig, string, RegExp][] = [
    [{}, 'connectionString', /give one of/],
    [
      { accountName: 'acc', accountKey: key, sasUrl: `https://a.example/box?${sas}` },
      'connectionString',
      /give one of/,
    ],
    [{ accountName: 'acc' }, 'accountKey', /required with accountName/],
    [{ accountKey: key }, 'accountName', /required with accountKey/],
    [{ accountName: 'acc', accountKey: 'no base 64!' }, 'accountKey', /base64/],
    [{ accountName: 'Not An Account', accountKey: key }, 'accountName', /lower-case/],
    [{ connectionString: 'nonsense' }, 'connectionString', /neither AccountName nor BlobEndpoint/],
    [{ connectionString: `AccountName=acc` }, 'connectionString', /no account key/],
    [{ connectionString: `AccountKey=${key};BlobEndpoint=https://a.example` }, 'connectionString', /no AccountName/],
    [
      { connectionString: `AccountName=acc;AccountKey=${key};BlobEndpoint=ftp://a.example` },
      'connectionString',
      /http or https/,
    ],
    [{ sasUrl: 'https://a.example/box' }, 'sasUrl', /no signature/],
    [{ sasUrl: `https://a.example/other?${sas}` }, 'sasUrl', /another container/],
    [{ sasUrl: `https://a.example/box/x.csv?sr=b&sig=x` }, 'sasUrl', /single blob/],
    [{ sasUrl: `https://user:word@a.example/box?${sas}` }, 'sasUrl', /without user/],
    [{ sasUrl: `https://a.example/box?${sas}`, endpoint: 'https://b.example' }, 'endpoint', /goes with accountName/],
    [{ accountName: 'acc', accountKey: key, endpoint: 'https://u:p@b.example' }, 'endpoint', /without user/],
    [{ accountName: 'acc', accountKey: key, container: 'Box' }, 'container', /lower-case/],
    [{ accountName: 'acc', accountKey: key, path: 'a/../b' }, 'path', /end in "\."/],
    [{ accountName: 'acc', accountKey: key, path: 'a\\b' }, 'path', /backslashes/],
    [{ accountName: 'acc', accountKey: key, timeoutSeconds: 601 }, 'timeoutSeconds', /at most 600/],
  ]
  for (const [change, field, message] of faults) {
    it(`refuses ${JSON.stringify(change).slice(0, 80)}, naming ${field}`, async () => {
      const result = await azureBlob.config['~standard'].validate({ container: 'box', ...change })
      assert.equal(result.issues?.length, 1)
      const [issue] = result.issues
      assert.match(issue?.message ?? '', message)
      for (const secret of [key, 'c2VjcmV0']) assert.ok(!issue?.message.includes(secret))
      const [part] = issue?.path ?? []
      assert.equal(typeof part === 'object' ? part.key : part, field)
    })
  }

  it('takes the usual connection string for the public cloud', async () => {
    await parse({
      container: 'box',
      connectionString: `DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=${key};EndpointSuffix=core.windows.net`,
    })
  })
})

async function parse(raw: RawConfig) {
  const result = await azureBlob.config['~standard'].validate(raw)
  assert.ok(!result.issues, JSON.stringify(result.issues))
  return result.value
}

function keyConfig(azurite: Azurite): RawConfig {
  return { accountName: azurite.accountName, accountKey: azurite.accountKey, endpoint: endpointAt(azurite, azurite) }
}
