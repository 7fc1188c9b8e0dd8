// Parts of random requests, and their knowledge of earlier responses, for `random-operations.ts`.
import type { Draw } from './random-values.ts'

/** The responses of one server so far, as far as later requests need them. */
export interface Answered {
  /** The last cursor, and the request that continues from there. */
  next: { readonly cursor: string; readonly request: Operation } | undefined
  /** The cursor of the feed of changes. */
  changes: string | undefined
  readonly jobs: string[]
  readonly uploads: string[]
  /** Versions of each record, oldest first. */
  readonly versions: Map<string, number[]>
}

export interface Operation {
  readonly method: string
  readonly path: string | ((answered: Answered) => string)
  readonly body?: unknown
  /** Makes the body from earlier responses, instead of `body`. */
  readonly bodyOf?: (answered: Answered) => unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to wait for the job of the response. */
  readonly isJob?: boolean
  /** Whether to wait for the run of the response. */
  readonly isRun?: boolean
}

export function pathOf({ path }: Operation, answered: Answered): string {
  return typeof path === 'string' ? path : path(answered)
}

/** Keeps what later requests ask about. */
export function remember(answered: Answered, url: string, { status, headers }: Response, json: unknown): void {
  if (url.startsWith('/api/v1/changes?') && status === 200) answered.changes = (json as { cursor: string }).cursor
  if (url.startsWith('/api/v1/imports?') && status === 201) answered.uploads.push((json as { id: string }).id)
  const made = url === '/api/v1/records' && status === 201 ? (json as { id: string }).id : undefined
  const id = made ?? /^\/api\/v1\/records\/(r-[0-9]+)/.exec(url)?.[1]
  const version = Number(/^"([0-9]+)"$/.exec(headers.get('etag') ?? '')?.[1] ?? Number.NaN)
  const known = id === undefined ? [] : (answered.versions.get(id) ?? [])
  if (id !== undefined && version > (known.at(-1) ?? 0)) answered.versions.set(id, [...known, version])
}

export type Make = (draw: Draw) => Operation
/** Weights of the kinds of requests, which add up to about 100. */
export type Kinds = Readonly<Record<string, readonly [weight: number, make: Make]>>

export function rememberNothing(): Answered {
  return { next: undefined, changes: undefined, jobs: [], uploads: [], versions: new Map() }
}

export const post = (path: string, body?: unknown, more: object = {}): Operation => ({
  method: 'POST',
  path,
  body,
  ...more,
})
export const get = (path: string): Operation => ({ method: 'GET', path })
export const put = (path: string, body: unknown, more: object = {}): Operation => ({
  method: 'PUT',
  path,
  body,
  ...more,
})
