// What random requests are made of, and what they know of earlier answers: for `random-operations.ts`.
import type { Draw } from './random-values.ts'

/** What one server has answered so far, as far as later requests need it. */
export interface Answered {
  /** The cursor that came last, and where it goes on. */
  next: { readonly cursor: string; readonly request: Operation } | undefined
  /** Of the feed of changes. */
  changes: string | undefined
  readonly jobs: string[]
  readonly uploads: string[]
  /** Of each record the versions that it had, the oldest first. */
  readonly versions: Map<string, number[]>
}

export interface Operation {
  readonly method: string
  readonly path: string | ((answered: Answered) => string)
  readonly body?: unknown
  /** In place of a body. */
  readonly bodyOf?: (answered: Answered) => unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Its job is waited for. */
  readonly isJob?: boolean
  /** Its run is waited for. */
  readonly isRun?: boolean
}

export type Make = (draw: Draw) => Operation
/** Of 100 or so, how many are of which kind. */
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
