// One request to the service; a request that no route declares does not compile.
// Contract 2 §1; 3 §2 (Idempotency-Key), 3 §9.
import { refusalOf, Unreachable } from './failures.ts'
import type { OnProgress } from './progress.ts'
import type { Endpoints, None } from './types.ts'

export type RouteName = keyof Endpoints

/** Requires the members that the route must have, and rejects members that the route lacks. */
type Given<Name extends RouteName> = Needed<'params', Endpoints[Name]['params']> &
  Needed<'query', Endpoints[Name]['query']> &
  Needed<'body', Endpoints[Name]['body']>
type Needed<Key extends string, Value> = [Value] extends [None | undefined]
  ? { readonly [key in Key]?: undefined }
  : object extends Value
    ? { readonly [key in Key]?: Value }
    : undefined extends Value
      ? { readonly [key in Key]?: Value }
      : { readonly [key in Key]: Value }

export type CallOptions<Name extends RouteName> = Given<Name> & Sending

/** The options may be absent if the route requires none. */
export type GivenOptions<Name extends RouteName> =
  object extends CallOptions<Name> ? [options?: CallOptions<Name>] : [options: CallOptions<Name>]

interface Sending {
  readonly headers?: Readonly<Record<string, string>>
  /** The ETag that the record must still have; otherwise the server answers 412. */
  readonly ifMatch?: string
  /** The server runs a repeated request with the same key only once. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal | undefined
  /** The answer is a file: `body` is a Blob of its bytes, for any content type. */
  readonly isFile?: true
  /** Called while the body, a Blob, is sent. */
  readonly onProgress?: OnProgress
}

/** The common shape of `CallOptions` of all routes. */
interface Request extends Sending {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

interface Answer<Body> {
  readonly body: Body
  readonly status: number
  readonly headers: Headers
  /** `X-Total-Count`, if the route counts. */
  readonly total: number | undefined
  /** `X-Next-Cursor`: the `after` of the next page. */
  readonly next: string | undefined
  readonly etag: string | undefined
}

/** @throws Refusal if the server refuses; Unreachable if no answer comes; AbortError of `signal` */
export type Call = <Name extends RouteName>(
  name: Name,
  ...options: GivenOptions<Name>
) => Promise<Answer<Endpoints[Name]['reply']>>

/** The services of the page that a call needs. */
export interface CallHost {
  readonly fetch: (input: string, init: RequestInit, onProgress?: OnProgress) => Promise<Response>
  /** The token to send; null: no token. */
  token(): string | null
  /** Gets a token after a 401. Resolves to a new token as soon as one exists; null: nobody will sign in. */
  renewedToken(refused: string | null): Promise<string | null>
  /** Aborts running requests, and blocks new ones. */
  readonly ended: AbortSignal
  /** Called after each request. @param isReached the server answered */
  onReached(isReached: boolean): void
}

/** A 401 of these routes means a wrong password, not an invalid token. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set(['POST /api/v1/auth/login'])

/** Gateways answer with these codes on behalf of an unreachable server. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([502, 504])

export function makeCall(host: CallHost): Call {
  return async (name, ...[options]) => {
    const send = (token: string | null) => sendOnce(host, name, options ?? {}, token)
    const token = WITHOUT_TOKEN.has(name) ? null : host.token()
    let response = await send(token)
    if (response.status === 401 && !WITHOUT_TOKEN.has(name)) {
      const renewed = await host.renewedToken(token)
      if (renewed !== null) response = await send(renewed)
    }
    if (!response.ok) throw await refusalOf(response)
    return answerOf(response, options?.isFile === true)
  }
}

async function sendOnce(host: CallHost, name: RouteName, options: Request, token: string | null) {
  const [method, path] = name.split(' ') as [string, string]
  const headers: Record<string, string> = { ...options.headers }
  if (token !== null) headers['Authorization'] = `Bearer ${token}`
  if (options.body !== undefined && !(options.body instanceof Blob)) headers['Content-Type'] ??= 'application/json'
  if (options.ifMatch !== undefined) headers['If-Match'] = options.ifMatch
  if (options.idempotencyKey !== undefined) headers['Idempotency-Key'] = options.idempotencyKey
  const init: RequestInit = { method, headers, credentials: 'omit', redirect: 'error', cache: 'no-store' }
  if (options.body !== undefined) init.body = options.body instanceof Blob ? options.body : JSON.stringify(options.body)
  init.signal = options.signal === undefined ? host.ended : AbortSignal.any([options.signal, host.ended])
  try {
    const response = await host.fetch(urlOf(path, options), init, options.onProgress)
    host.onReached(!OF_GATEWAYS.has(response.status))
    return response
  } catch (error) {
    if (init.signal.aborted) throw error
    host.onReached(false)
    throw new Unreachable(error)
  }
}

function urlOf(path: string, { params = {}, query = {} }: Request): string {
  const filled = path.replaceAll(/:([a-zA-Z][a-zA-Z0-9]*)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    search.set(key, Array.isArray(value) ? value.join(',') : (value as string))
  }
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}

async function answerOf<Body>(response: Response, isFile: boolean): Promise<Answer<Body>> {
  const { headers, status } = response
  const total = headers.get('X-Total-Count')
  return {
    body: (await bodyOf(response, isFile)) as Body,
    status,
    headers,
    total: total === null ? undefined : Number(total),
    next: headers.get('X-Next-Cursor') ?? undefined,
    etag: headers.get('ETag') ?? undefined,
  }
}

/** Content types that people can read. */
const TEXT = /^(?:text\/|application\/(?:xml|x-ndjson)\b)/

/** Parses JSON, and returns text and files as they are. */
async function bodyOf(response: Response, isFile: boolean): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('Content-Type') ?? ''
  try {
    if (isFile) return await response.blob()
    if (type.startsWith('application/json')) return await response.json()
    return TEXT.test(type) ? await response.text() : await response.blob()
  } catch (error) {
    // The connection broke in the middle of the answer.
    if (error instanceof Error && error.name === 'AbortError') throw error
    throw new Unreachable(error)
  }
}
