// Results of a handler that are more than a plain body: a body with status, ETag or headers, JSON that is text already, plain text,
// and files.
import type { Coding } from './gzip.ts'
import type { Caller } from '../../core/accounts/caller.ts'

/** JSON that needs no stringify: sent as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A body that is not JSON; the route declares it as a string. */
export class PlainText {
  readonly text: string
  readonly mediaType: string

  constructor(text: string, mediaType: string) {
    this.text = text
    this.mediaType = mediaType
  }
}

/** A whole file; the route declares it as a string. `coding`: how its bytes are packed. */
export class FileBytes {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly coding: Coding | undefined

  constructor(bytes: Uint8Array, mediaType: string, coding?: Coding) {
    this.bytes = bytes
    this.mediaType = mediaType
    this.coding = coding
  }
}

/** JSON that is sent while it is made, at the speed of the client. If sending ends early, `chunks` gets `return`. */
export class JsonStream {
  readonly chunks: AsyncIterable<string>

  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks
  }
}

/** A file that is sent while it is made, at the speed of the client. The route declares a string. It ends like a `JsonStream`. */
export class ByteStream {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly mediaType: string

  constructor(chunks: AsyncIterable<Uint8Array>, mediaType: string) {
    this.chunks = chunks
    this.mediaType = mediaType
  }
}

interface ReplyOptions {
  /** The version of the body; becomes the ETag `"<version>"`. */
  readonly etag?: number | string
  /** The Cache-Control header; by default the answer must not be cached. */
  readonly cacheControl?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The version of a body in quotes. */
export function formatEtag(version: number | string): string {
  return `"${version}"`
}

export class Reply<Body, Status extends number> {
  readonly body: Body
  /** Undefined: the lowest of the route's `responses`. */
  readonly status: Status | undefined
  readonly options: ReplyOptions

  constructor(body: Body, status: Status | undefined, options: ReplyOptions) {
    this.body = body
    this.status = status
    this.options = options
  }
}

/** A body with ETag or headers, or with a status other than the lowest of the route's `responses`. */
export function reply<Body, const Status extends number>(
  body: Body,
  options: ReplyOptions & { readonly status: Status },
): Reply<Body, Status>
export function reply<Body>(body: Body, options: ReplyOptions): Reply<Body, never>
export function reply(body: unknown, options: ReplyOptions & { readonly status?: number }): Reply<unknown, number> {
  return new Reply(body, options.status, options)
}

/**
 * The caller for a service whose result the handler turns into an answer by `toReply`. A request with an Idempotency-Key stores
 * its answer in the transaction of the write, before the handler has the result.
 */
export function answering<Result>(caller: Caller, toReply: (result: Result) => unknown): Caller {
  const { keep } = caller
  return keep === undefined ? caller : { ...caller, keep: (tx, result) => keep(tx, toReply(result as Result)) }
}
