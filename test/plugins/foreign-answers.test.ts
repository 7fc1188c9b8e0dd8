// Whoever writes an export job chooses an address. What a service there answers reaches nobody: no byte of its body, and of its codes
// only those that the store is known to send.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { createServer as createPlainServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import azureBlob from '../../plugins/azure-blob.ts'
import s3 from '../../plugins/s3.ts'
import sftp from '../../plugins/sftp.ts'
import webhook from '../../plugins/webhook.ts'
import { send } from '../helpers/answers.ts'
import { runOnce } from '../helpers/export-jobs.ts'
import { make } from '../helpers/shirts.ts'
import { startServer } from '../helpers/server.ts'
import { startSftpServer } from '../helpers/sftp-server.ts'
import { makeRunContext } from '../helpers/run-context.ts'

const INNER = 'inner-service-token-4711'
const BODIES = [
  `<?xml version="1.0"?><Error><Code>${INNER}</Code><Message>${INNER}</Message></Error>`,
  `<html><${INNER}>unclosed`,
  `{"error":{"code":"${INNER}","message":"${INNER}"}}`,
  INNER,
]
const STATUSES = [200, 400, 401, 403, 404, 409, 500, 503]

const JOB = {
  name: 'Nightly',
  destinationType: 'sftp',
  format: 'csv',
  schedule: '0 3 1 1 *',
  includeVariants: true,
  compress: false,
  filenameTemplate: 'export.csv',
  maxAttempts: 1,
}

let server: Server
let answer: { status: number; type: string; body: string }
before(async () => {
  server = createServer((request, response) => {
    request.resume()
    const { status, type, body } = answer
    response.writeHead(status, { 'content-type': type, 'x-ms-error-code': INNER, 'x-amz-error-code': INNER }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => server.close())

const endpoint = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const CHECKS = {
  s3: () =>
    s3.check!(
      {
        bucket: 'shop',
        region: 'eu-central-1',
        endpoint: endpoint(),
        forcePathStyle: true,
        accessKeyId: 'a',
        secretAccessKey: 'b',
      },
      makeRunContext(),
    ),
  'azure-blob': () =>
    azureBlob.check!(
      {
        container: 'shop',
        accountName: 'account',
        accountKey: Buffer.from('key').toString('base64'),
        endpoint: `${endpoint()}/account`,
      },
      makeRunContext(),
    ),
}

/** Empty where the check finds nothing wrong. */
async function messageOf(check: () => Promise<void>): Promise<string> {
  try {
    await check()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('The check of a destination', () => {
  for (const [name, check] of Object.entries(CHECKS))
    it(`${name} repeats nothing of a foreign answer`, async () => {
      for (const status of STATUSES)
        for (const [place, body] of BODIES.entries()) {
          answer = { status, type: ['application/xml', 'text/html', 'application/json', 'text/plain'][place]!, body }
          const message = await messageOf(check)
          assert.ok(!message.includes(INNER), `${status}: ${message}`)
          if (status >= 400) assert.match(message, /HTTP/)
          assert.ok(message.includes(endpoint()), `the message names the place: ${status}: ${message}`)
        }
    })

  it('sftp repeats nothing of what its server says, with any status', async () => {
    for (const status of [2, 3, 4, 5, 8, 99]) {
      const peer = await startSftpServer({ fails: { request: 'REALPATH', status, message: INNER } })
      try {
        const message = await messageOf(() => checkSftp(peer))
        assert.notEqual(message, '')
        assert.ok(!message.includes(INNER), `${status}: ${message}`)
      } finally {
        await peer.close()
      }
    }
  })

  it('says in words that a server speaks no TLS', async () => {
    const secure = endpoint().replace('http:', 'https:')
    const keys = { accessKeyId: 'key-4711', secretAccessKey: 'secret-4711' }
    const s3Config = { bucket: 'shop', region: 'eu', endpoint: secure, ...keys }
    const azureConfig = {
      container: 'shop',
      accountName: 'account',
      accountKey: 'c2VjcmV0LTQ3MTE=',
      endpoint: `${secure}/account`,
    }
    const pimlet = await startServer({ allowDestinations: ['127.0.0.1'] })
    try {
      for (const [destinationType, destinationConfig] of Object.entries({
        s3: s3Config,
        'azure-blob': azureConfig,
        webhook: { url: secure },
      })) {
        const { error } = await runOnce(pimlet.admin, { ...JOB, destinationType, destinationConfig })
        assert.match(error!, /: no secure connection could be made \([\w ]+\) \(after 1 attempt\)$/)
      }
    } finally {
      await pimlet.stop()
    }
  })

  it('sftp names its server, and a run repeats no word of it', async () => {
    const pimlet = await startServer({ allowDestinations: ['127.0.0.1'] })
    const requests = ['REALPATH', 'STAT', 'OPEN', 'WRITE', 'CLOSE']
    const behaviours = requests.map((request) => ({ fails: { request, status: 4, message: INNER } }))
    const peers = await Promise.all([...behaviours, { noSftp: true }].map(startSftpServer))
    try {
      for (const { host, port, username, password } of peers) {
        const destinationConfig = { host, port, username, password, acceptAnyHostKey: true }
        const { status, error } = await runOnce(pimlet.admin, { ...JOB, destinationConfig })
        assert.equal(status, 'failed')
        assert.ok(error !== null && !error.includes(INNER), String(error))
        assert.ok(error.startsWith(`${username}@${host}:${port}: `), error)
      }
    } finally {
      await Promise.all(peers.map((peer) => peer.close()))
      await pimlet.stop()
    }
  })

  it('repeats nothing of a server that speaks no protocol that it knows', async () => {
    for (const line of [
      `${INNER}\r\n`,
      `HTTP/1.1 ${INNER}\r\n\r\n`,
      `HTTP/1.1 200 ${INNER}\r\n${INNER}\r\n`,
      `SSH-2.0-${INNER}\r\n${INNER}`,
    ]) {
      const peer = createPlainServer((socket) => socket.on('error', () => undefined).end(line))
      await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve))
      const { port } = peer.address() as AddressInfo
      const target = { host: '127.0.0.1', port, username: 'u', password: 'p' }
      const url = `http://127.0.0.1:${port}/`
      for (const check of [
        () => checkSftp(target),
        () => webhook.check!({ url, method: 'POST', headers: {}, timeoutSeconds: 5 } as never, makeRunContext()),
      ]) {
        const message = await messageOf(check)
        assert.ok(!message.includes(INNER), `${JSON.stringify(line)}: ${message}`)
      }
      peer.close()
    }
  })
})

interface SftpPeer {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
}

function checkSftp({ host, port, username, password }: SftpPeer): Promise<void> {
  const config = { host, port, username, password, acceptAnyHostKey: true, path: '.', timeoutSeconds: 2 } as never
  return sftp.check!(config, makeRunContext())
}

describe('The test and the deliveries of a subscription', () => {
  it('repeat nothing of what the receiver answers', async () => {
    const pimlet = await startServer({ allowDestinations: ['127.0.0.1'] })
    try {
      const body = { id: 'sub-inner', name: 'Inner', url: `${endpoint()}/`, events: ['record.created'] }
      await make(pimlet.admin, '/api/v1/subscriptions', body)
      for (const status of STATUSES.filter((code) => code >= 300))
        for (const text of BODIES) {
          answer = { status, type: 'text/plain', body: text }
          const tested = await send(pimlet.admin, 'POST', '/api/v1/subscriptions/sub-inner/test')
          assert.ok(!JSON.stringify(tested.body).includes(INNER), JSON.stringify(tested.body))
        }
      const { body: kept } = await send<unknown[]>(pimlet.admin, 'GET', '/api/v1/subscriptions/sub-inner/deliveries')
      assert.ok(kept.length > 0)
      assert.ok(!JSON.stringify(kept).includes(INNER))
    } finally {
      await pimlet.stop()
    }
  })
})
