// Whoever writes an export job chooses an address. What a service there answers reaches nobody: no byte of its body, and of its codes
// only those that the store is known to send.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import azureBlob from '../../plugins/azure-blob.ts'
import s3 from '../../plugins/s3.ts'
import { makeRunContext } from '../helpers/run-context.ts'

const INNER = 'inner-service-token-4711'
const BODIES = [
  `<?xml version="1.0"?><Error><Code>${INNER}</Code><Message>${INNER}</Message></Error>`,
  `<html><${INNER}>unclosed`,
  `{"error":{"code":"${INNER}","message":"${INNER}"}}`,
  INNER,
]
const STATUSES = [200, 400, 401, 403, 404, 409, 500, 503]

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
        }
    })
})
