// Fetches a file from an address under the egress rules of destinations; redirects are checked one by one. Contract 4 §1.
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { PermanentError, type Network } from '../kernel/destination.ts'
import { invalid, PimletError } from '../kernel/errors.ts'

interface Fetching {
  readonly network: Network
  readonly signal: AbortSignal
}

interface Fetched {
  readonly chunks: AsyncIterable<Buffer>
  /** The last part of the address that answered, decoded. */
  readonly fileName: string
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * @param url http or https
 * @throws VALIDATION_ERROR naming `field`, here or from `chunks`: the address may not be reached, does not answer, or
 *   answers with another status than 200
 */
export async function fetchFile(url: string, field: string, { network, signal }: Fetching): Promise<Fetched> {
  const explain = (error: unknown): unknown =>
    error instanceof PimletError ? error : invalid(`${field} cannot be fetched: ${describeFault(error, signal)}`)
  try {
    let place = parseAddress(url, field)
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await ask(place, network, signal)
      const status = response.statusCode ?? 0
      if (status === 200) return { chunks: chunksOf(response, explain), fileName: lastSegment(place) }
      response.destroy()
      const { location } = response.headers
      if (!REDIRECTS.has(status) || location === undefined)
        throw invalid(`${field} cannot be fetched: the server answered with the status ${status}`)
      place = parseAddress(URL.parse(location, place.href)?.href ?? location, field)
    }
    throw invalid(`${field} cannot be fetched: it redirects more than ${MAX_REDIRECTS} times`)
  } catch (error) {
    throw explain(error)
  }
}

function parseAddress(text: string, field: string): URL {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw invalid(`${field} must be an http or https URL without user name and password`)
  return url
}

function ask(url: URL, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'pimlet' }
  return new Promise((resolve, reject) => {
    const agent = isSecure ? network.httpsAgent : network.httpAgent
    const request = (isSecure ? requestSecure : requestPlain)(url, { agent, headers, signal })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server may have ended the connection of an earlier request just now.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET'
      if (isStale) resolve(ask(url, network, signal))
      else reject(error)
    })
    request.on('response', resolve)
    request.end()
  })
}

async function* chunksOf(response: IncomingMessage, explain: (error: unknown) => unknown): AsyncGenerator<Buffer> {
  const reading = response.iterator() as AsyncIterator<Buffer> & AsyncIterable<Buffer>
  try {
    for (;;) {
      const next = await reading.next().catch((error: unknown) => {
        throw explain(error)
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    response.destroy()
  }
}

function lastSegment({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** A sentence without the address that a name resolves to. */
function describeFault(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'it takes too long'
  if (error instanceof PermanentError) return error.message
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? 'the connection broke' : `the connection failed (${code})`
}
