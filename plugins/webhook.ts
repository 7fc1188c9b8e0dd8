// The destination `webhook`: one HTTP request with the file as its body (contract 2 §6), signed by Standard Webhooks.
// `src/kernel/webhook/` has the config and the request, because subscriptions use both. No message repeats the body of an
// answer.
import { createHash, createHmac } from 'node:crypto'
import {
  type Destination,
  type ExportFile,
  type RunContext,
  PermanentError,
  RetryLaterError,
} from '../src/kernel/destination.ts'
import { WebhookConfig, keyOf } from '../src/kernel/webhook/webhook-config.ts'
import { send, parseRetryAfter, type Answer } from '../src/kernel/webhook/webhook-request.ts'

/** Returns both forms of RFC 6266: a plain one, and an exact one if the plain one cannot express the name. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** Returns the headers of Standard Webhooks. The body is read once for its signature, and never held completely. */
async function signHeaders(
  config: WebhookConfig,
  { runId, signal }: RunContext,
  open: () => AsyncIterable<Buffer>,
  suffix = '',
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const id = runId + suffix
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (config.signingSecret === undefined) return headers
  const hmac = createHmac('sha256', keyOf(config.signingSecret)).update(`${id}.${timestamp}.`)
  for await (const chunk of open()) {
    signal.throwIfAborted()
    hmac.update(chunk)
  }
  return { ...headers, 'webhook-signature': `v1,${hmac.digest('base64')}` }
}

async function headersFor(
  file: ExportFile,
  config: WebhookConfig,
  context: RunContext,
): Promise<Record<string, string>> {
  return {
    'User-Agent': 'pimlet',
    ...config.headers,
    'Content-Type': file.contentType,
    'Content-Length': String(file.size),
    'Content-Disposition': contentDisposition(file.name),
    'X-Pimlet-Job': context.jobId,
    'X-Pimlet-Run': context.runId,
    ...(await signHeaders(config, context, () => file.open(), suffixOf(file))),
  }
}

/** Returns the end of a message's ID. A checksum and a picture have their own messages. A retry has the same ID. */
function suffixOf({ isChecksum, isBeside, name, sha256 }: ExportFile): string {
  if (isChecksum === true) return '-sha256'
  return isBeside === true ? `-${createHash('sha256').update(`${name}\n${sha256}`).digest('hex').slice(0, 24)}` : ''
}

async function* nothing(): AsyncGenerator<Buffer> {}

const webhook: Destination<WebhookConfig> = {
  type: 'webhook',
  title: 'Webhook',
  config: WebhookConfig,
  keys: Object.keys(WebhookConfig.entries),
  secrets: ['headers.*', 'signingSecret'],

  place({ url }) {
    const { hostname, origin } = new URL(url)
    return { hosts: { url: hostname }, secretsGoTo: { url: origin } }
  },

  /**
   * Sends OPTIONS with the job's headers and no body: this proves name, address, certificate and HTTP, and changes
   * nothing.
   */
  async check(config, context) {
    context.signal.throwIfAborted()
    const signed = await signHeaders(config, context, nothing)
    const headers = { 'User-Agent': 'pimlet', ...config.headers, ...signed }
    assertPresent(
      await send({ url: config.url, method: 'OPTIONS', headers, timeoutMs: config.timeoutSeconds * 1000 }, context),
    )
  },

  async deliver(file, config, context) {
    context.signal.throwIfAborted()
    const headers = await headersFor(file, config, context)
    const { url, method, timeoutSeconds } = config
    assertDelivered(
      await send(
        { url, method, headers, body: { stream: file.open(), size: file.size }, timeoutMs: timeoutSeconds * 1000 },
        context,
      ),
    )
    const { origin, pathname } = new URL(url)
    return { destinationPath: `${origin}${pathname}` }
  },
}

export default webhook

export function assertDelivered(answer: Answer): void {
  if (answer.status >= 200 && answer.status < 300) return
  throw explain(answer)
}

/** Many receivers do not support OPTIONS, so only a response that predicts a refused delivery is a fault. */
function assertPresent(answer: Answer): void {
  const { status, where } = answer
  if (status === 405 || status === 501 || (status >= 200 && status < 300)) return
  if (status === 401 || status === 403 || status === 404) {
    throw new PermanentError(
      `${where} answered ${status} to OPTIONS (some receivers answer so to every OPTIONS request: a run of the job tells for certain)`,
    )
  }
  if (status === 400 || status === 415 || status === 422) return
  throw explain(answer)
}

function explain({ status, retryAfter, where }: Answer): Error {
  const message = `${where} answered ${status}`
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const wait = parseRetryAfter(retryAfter, Date.now())
    return wait === undefined ? new Error(message) : new RetryLaterError(message, wait)
  }
  if (status === 410) return new PermanentError(`${message}: it is gone for good`, { pauseJob: true })
  if (status >= 300 && status < 400) return new PermanentError(`${message}: redirects are not followed`)
  return new PermanentError(message)
}
