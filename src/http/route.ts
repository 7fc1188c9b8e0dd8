// The declaration of an endpoint. The server mounts it, and the pipeline authenticates, authorises and validates by it.
// OpenAPI is generated from it, and TypeScript infers the handler's types from it.
import type * as v from 'valibot'
import type { ErrorCode } from '../kernel/errors.ts'
import type { Permission } from '../core/accounts/rules/permissions.ts'
import type { Caller } from '../core/accounts/caller.ts'
import type { IfMatch } from '../core/records/precondition.ts'
import type { Services } from '../app/app-services.ts'
import type { BodyStream } from './bodies/body-stream.ts'
import type { ByteStream, FileBytes, JsonStream, JsonText, PlainText, Reply } from './answers/replies.ts'
import { NoQuery } from '../kernel/input/common-shapes.ts'
import type { OutputOf } from '../kernel/input/validation.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The callers that a route admits: everyone, everyone with a credential, or roles with the permission. */
export type Access = 'public' | 'authenticated' | Permission

export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, v.ErrorMessage<v.ObjectIssue> | undefined>
/** Status → schema of the body; null: no body. The lowest is the answer where the handler does not say. */
type Responses = Readonly<Record<number, v.GenericSchema | null>>

/** Headers of a success that only some routes have; every response has X-Request-Id. */
export const ROUTE_HEADERS = ['ETag', 'X-Total-Count', 'X-Next-Cursor', 'Content-Disposition'] as const
type RouteHeader = (typeof ROUTE_HEADERS)[number]

/** Facts of the request for handlers. */
export interface RequestInfo {
  /** The X-Request-Id of the response and of the log line. */
  readonly id: string
  /** The client's address, as the socket reports it. */
  readonly address: string
  /** The prefix that clients write before paths, for example `/pim`; '' for none. */
  readonly prefix: string
  /** The Accept header. */
  readonly accept: string | undefined
  /** The header If-None-Match. */
  readonly ifNoneMatch: string | undefined
  /** The Accept-Encoding header. */
  readonly acceptEncoding: string | undefined
  /** The token of the Authorization header, unchecked. */
  readonly bearerToken: string | undefined
  /** Whether only the headers of the answer are asked for. */
  readonly isHead: boolean
  /** The headers Range and If-Range. */
  readonly range: string | undefined
  readonly ifRange: string | undefined
  /** Aborted when the client disconnects before it has the answer. */
  readonly signal: AbortSignal
  /** Resolves when there is room for one more part of an answer, or when the client has disconnected. */
  whenRoom(): Promise<void>
}

export interface HandlerContext<Who, Params, Query, Body> {
  readonly caller: Who
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly ifMatch: IfMatch
  readonly services: Services
  readonly request: RequestInfo
}

/** Documentation that types and checks cannot express, for the OpenAPI document. */
interface RouteNotes {
  /** More than the summary. Markdown: paragraphs and `code` only. */
  readonly description?: string
  /** Headers of successful responses. */
  readonly headers?: readonly RouteHeader[]
  /** Media types of successful responses, whose shape is then a string; default: JSON. */
  readonly mediaTypes?: readonly string[]
  /** Examples by media type: of a `stream`, or of a response that is not JSON. Examples of JSON are in `*-examples.ts`. */
  readonly examples?: Readonly<Record<string, string>>
  /** The shape of the JSON among `mediaTypes`. */
  readonly jsonShape?: v.GenericSchema
  /** A public route whose handler asks for the bearer token itself. */
  readonly needsToken?: boolean
  /** The body has the conditions, so the header If-Match is ignored. */
  readonly hasOwnConditions?: boolean
  /** Maximum bytes of the JSON body, if below the general limit. */
  readonly maxBody?: number
}

export interface Route extends RouteNotes {
  /** `<resource>.<action>`, unique. */
  readonly id: string
  readonly method: Method
  /** The full path, with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly params: ObjectSchema | undefined
  readonly query: ObjectSchema | undefined
  readonly body: v.GenericSchema | undefined
  /** Content types of a body that the handler reads by itself, in place of a JSON `body`. */
  readonly stream: readonly string[] | undefined
  readonly responses: Responses
  /** Codes besides those that the pipeline adds: see `answers/error-replies.ts`. */
  readonly errors: readonly ErrorCode[]
  readonly handler: (context: HandlerContext<Caller, never, never, never>) => unknown
}

interface RouteDeclaration<
  Endpoint extends `${Method} /${string}`,
  Who extends Access,
  Params,
  Query,
  Body,
  Types,
  Res extends Responses,
> extends RouteNotes {
  id: string
  /** Method and full path, with `:name` for parameters. */
  endpoint: Endpoint
  summary: string
  access: Who
  /** Only where not every text is valid. An unknown ID is not invalid: the service answers NOT_FOUND. */
  params?: Params
  /**
   * Numbers and booleans are converted from text before the check. An `exactObject` refuses unknown parameters, other shapes
   * ignore them; a list without parameters refuses all.
   */
  query?: Query
  /** Without it the body is ignored; `v.optional(…)`: the body may be missing. */
  body?: Body
  /** A body of any size and of one of these content types. The handler gets the body as a BodyStream. */
  stream?: Types
  responses: Res
  errors?: readonly ErrorCode[]
  handler: (
    context: HandlerContext<
      Who extends 'public' ? undefined : Caller,
      Params extends v.GenericSchema ? v.InferOutput<Params> : PathParams<Endpoint>,
      Output<Query>,
      Types extends readonly string[] ? BodyStream<Types[number]> : Output<Body>
    >,
  ) => Answer<Res> | Promise<Answer<Res>>
}

type Output<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined

/** `GET /records/:id/values/:attr` → `{ id: string; attr: string }` */
type PathParams<Path extends string> = { readonly [Name in ParamName<Path>]: string }
type ParamName<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParamName<Segment> | ParamName<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

type BodyOf<Res extends Responses> = {
  [Status in keyof Res]: Res[Status] extends v.GenericSchema ? OutputOf<Res[Status]> : undefined | void
}[keyof Res]
type Answer<Res extends Responses> =
  | BodyOf<Res>
  | (BodyOf<Res> extends undefined | void ? never : JsonText)
  | (BodyOf<Res> extends string ? PlainText : never)
  | Reply<
      BodyOf<Res> | JsonText | JsonStream | (BodyOf<Res> extends string ? PlainText | FileBytes | ByteStream : never),
      keyof Res & number
    >

/** One endpoint. Its types are inferred here and erased in the result, so that routes of all shapes make one table. */
export function route<
  const Endpoint extends `${Method} /${string}`,
  const Who extends Access,
  const Res extends Responses,
  Params extends ObjectSchema | undefined = undefined,
  Query extends ObjectSchema | undefined = undefined,
  Body extends v.GenericSchema | undefined = undefined,
  const Types extends readonly string[] | undefined = undefined,
>({ endpoint, ...declaration }: RouteDeclaration<Endpoint, Who, Params, Query, Body, Types, Res>): Route {
  const { params, body, stream, responses, errors = [] } = declaration
  const [method, path] = endpoint.split(' ') as [Method, string]
  const isList = method === 'GET' && responses[200]?.type === 'array'
  const query = declaration.query ?? (isList ? NoQuery : undefined)
  const handler = declaration.handler as unknown as Route['handler']
  return { ...declaration, method, path, params, query, body, stream, errors, handler }
}
