// Sends one request to a server, and describes any fault in one clear line. Contract 2 §8.
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import { own } from '../kernel/own.ts'

/** Milliseconds without data in either direction, after which a request fails. */
const SILENCE = 300_000

interface RequestBody {
  readonly type: string
  readonly content: string | Readable
}

/** The server's response is an error. */
export class RefusedRequest extends StartError {
  readonly status: number

  constructor(status: number, said: string) {
    super(`The server answered ${status}${said}`)
    this.status = status
  }
}

/** Resolves to a 2xx response. @throws StartError */
export async function call(
  connection: Connection,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: RequestBody,
): Promise<IncomingMessage> {
  const response = await send(connection, method, path, body)
  const { statusCode = 0 } = response
  if (statusCode >= 200 && statusCode < 300) return response
  if (statusCode >= 300 && statusCode < 400)
    throw new StartError(`${connection.url.origin} redirects to ${response.headers.location}: use that as --url`)
  throw new RefusedRequest(statusCode, describe(await readText(response).catch(() => '')))
}

/** Resolves to the body of the response to GET. @throws StartError */
export async function getJson<Body>(connection: Connection, path: string): Promise<Body> {
  return readJson<Body>(await call(connection, 'GET', path))
}

/** @throws StartError */
export async function readJson<Body>(response: IncomingMessage): Promise<Body> {
  try {
    return JSON.parse(await readText(response)) as Body
  } catch (error) {
    throw new StartError('The server did not answer as a pimlet server does', { cause: error })
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  return text(response)
}

function send(connection: Connection, method: string, path: string, body?: RequestBody): Promise<IncomingMessage> {
  const { url } = connection
  const target = new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url)
  const headers = { ...credentialOf(connection), ...(body === undefined ? {} : { 'Content-Type': body.type }) }
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, { method, headers })
    let isAnswered = false
    request.on('response', (response) => {
      isAnswered = true
      resolve(response)
    })
    // A server that has responded need not read the rest of the body.
    const fail = (error: unknown): void => {
      if (!isAnswered) reject(error instanceof StartError ? error : explain(error, url))
    }
    request.on('error', fail)
    request.setTimeout(SILENCE, () => request.destroy(new Error('the server has gone silent')))
    write(request, body).catch(fail)
  })
}

function credentialOf({ apiKey, accessToken }: Connection): Record<string, string> {
  if (accessToken !== undefined) return { Authorization: `Bearer ${accessToken}` }
  return apiKey === undefined ? {} : { 'X-Service-ApiKey': apiKey }
}

async function write(request: ClientRequest, body: RequestBody | undefined): Promise<void> {
  if (typeof body?.content === 'object') await pipeline(body.content, request)
  else request.end(body?.content)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'no answer came',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection was cut',
}

function explain(error: unknown, url: URL): StartError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new StartError(`Cannot talk to ${url.origin}: ${own(REASONS, code) ?? message}`, { cause: error })
}

/** Returns `: CODE: message` if the body is an error of pimlet. */
function describe(body: string): string {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown }
    return typeof error === 'string' && typeof message === 'string' ? ` ${error}: ${message}` : ''
  } catch {
    return ''
  }
}
