// Sends the Azure SDK's requests by node:http over the run's network, without redirects. Unlike the SDK's own client,
// silence has a time limit.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { HttpOperationResponse, IHttpClient, RestError, WebResource } from '@azure/storage-blob'
import { PermanentError, type Network } from '../../src/kernel/destination.ts'

/** Responses are short; an endless one is cut off. */
const MAX_ANSWER_BYTES = 1024 * 1024

interface HttpClientOptions {
  readonly network: Network
  /** Milliseconds for which a connection may be silent, in either direction. */
  readonly idleMs: number
  /** Makes the SDK's error for a failed connection; the SDK retries such a request once. */
  readonly failure: (message: string, code: string) => RestError
}

export function makeHttpClient(options: HttpClientOptions): IHttpClient {
  return {
    sendRequest: async (request) => {
      const response = await exchange(request, options)
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400 && status !== 304) {
        response.destroy()
        throw new PermanentError(`Azure answered with a redirect (HTTP ${status}), which is not followed`)
      }
      if (isStreamed(request, status)) return { ...toSdkResponse(request, response), readableStreamBody: response }
      return { ...toSdkResponse(request, response), bodyAsText: await readText(response, options) }
    },
  }
}

function exchange(request: WebResource, { network, idleMs, failure }: HttpClientOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = new URL(request.url)
    const secure = url.protocol === 'https:'
    const signal = request.abortSignal
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method: request.method,
      headers: request.headers.rawHeaders(),
      agent: secure ? network.httpsAgent : network.httpAgent,
    })
    const abort = (): void => void outgoing.destroy(Object.assign(new Error('aborted'), { name: 'AbortError' }))
    const expire = (): void =>
      void outgoing.destroy(failure(`no sign of life for ${idleMs / 1000} seconds`, 'ETIMEDOUT'))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    outgoing.once('socket', (socket) => {
      socket.setTimeout(idleMs)
      socket.on('timeout', expire)
      outgoing.once('close', () => {
        socket.off('timeout', expire)
        signal?.removeEventListener('abort', abort)
      })
    })
    outgoing.once('response', resolve)
    outgoing.once('error', (error: NodeJS.ErrnoException) => reject(translate(error, failure)))
    outgoing.end(request.body as Buffer | string | undefined)
  })
}

/** Refused addresses and the end of the run pass unchanged; other faults may be retried once. */
function translate(error: NodeJS.ErrnoException, failure: HttpClientOptions['failure']): Error {
  if (error.name === 'AbortError' || error.name === 'RestError' || 'permanent' in error) return error
  return failure(error.message || (error.code ?? error.name), error.code ?? 'REQUEST_SEND_ERROR')
}

async function readText(response: IncomingMessage, { failure }: HttpClientOptions): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_ANSWER_BYTES) throw new PermanentError('the answer is too long for Azure')
      chunks.push(chunk)
    }
  } catch (error) {
    throw translate(error as NodeJS.ErrnoException, failure)
  }
  return Buffer.concat(chunks).toString()
}

function isStreamed({ streamResponseStatusCodes, streamResponseBody }: WebResource, status: number): boolean {
  return streamResponseStatusCodes?.has(status) ?? streamResponseBody === true
}

function toSdkResponse(request: WebResource, response: IncomingMessage): HttpOperationResponse {
  const headers = request.headers.clone()
  for (const name of headers.headerNames()) headers.remove(name)
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return { request, headers, status: response.statusCode ?? 0 }
}
