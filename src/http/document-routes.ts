// The endpoints that resources with IDs have in common: list, create, read, replace, delete. Each resource adds its own.
import * as v from 'valibot'
import type { Services } from '../app/app-services.ts'
import type { Caller } from '../core/accounts/caller.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import { pagedListReply } from './answers/list-replies.ts'
import type { OutputOf } from '../kernel/input/validation.ts'
import { type Access, route, type Route } from './route.ts'

interface Notes {
  readonly summary: string
  readonly description?: string
  /** Codes besides those of every resource's endpoints. */
  readonly errors?: readonly ErrorCode[]
}

interface DocumentService<Document, Input, Replacement> {
  /** Some at a time. */
  list(caller: Caller): AsyncGenerator<readonly Document[], void>
  create(caller: Caller, input: Input): Promise<Document>
  get(caller: Caller, id: string): Promise<Document>
  replace(caller: Caller, id: string, input: Replacement): Promise<Document>
  delete(caller: Caller, id: string): Promise<void>
}

interface DocumentDeclaration<Shape extends v.GenericSchema, Input extends v.GenericSchema, Replacement> {
  /** First part of the IDs of the routes: `catalogs` makes `catalogs.list`. */
  readonly id: string
  /** The path of the list. */
  readonly path: `/${string}`
  readonly shape: Shape
  readonly input: Input
  /** Body of PUT. Default: the body of POST. */
  readonly replacement?: Replacement
  readonly read: Exclude<Access, 'public'>
  readonly write: Exclude<Access, 'public'>
  readonly list: Notes
  readonly create: Notes
  readonly get: Notes
  readonly replace: Notes
  readonly delete: Notes
  readonly service: (
    services: Services,
  ) => DocumentService<
    OutputOf<Shape>,
    v.InferOutput<Input>,
    v.InferOutput<Replacement extends v.GenericSchema ? Replacement : Input>
  >
}

export function documentRoutes<
  Shape extends v.GenericSchema,
  Input extends v.GenericSchema,
  Replacement extends v.GenericSchema | undefined = undefined,
>(declaration: DocumentDeclaration<Shape, Input, Replacement>): Route[] {
  const { id, path, read, write, input, replacement = input } = declaration
  const shape: v.GenericSchema = declaration.shape
  const one = `${path}/:id` as const
  const service = declaration.service as unknown as (services: Services) => DocumentService<unknown, unknown, unknown>
  return [
    route({
      ...declaration.list,
      id: `${id}.list`,
      endpoint: `GET ${path}`,
      access: read,
      responses: { 200: v.array(shape) },
      handler: ({ caller, services, request }) => pagedListReply(service(services).list(caller), request),
    }),
    route({
      ...declaration.create,
      errors: ['CONFLICT', ...(declaration.create.errors ?? [])],
      id: `${id}.create`,
      endpoint: `POST ${path}`,
      access: write,
      body: input,
      responses: { 201: shape },
      handler: ({ caller, body, services }) => service(services).create(caller, body) as Promise<never>,
    }),
    route({
      ...declaration.get,
      id: `${id}.get`,
      endpoint: `GET ${one}`,
      access: read,
      responses: { 200: shape },
      handler: ({ caller, params, services }) => service(services).get(caller, params.id) as Promise<never>,
    }),
    route({
      ...declaration.replace,
      id: `${id}.replace`,
      endpoint: `PUT ${one}`,
      access: write,
      body: replacement,
      responses: { 200: shape },
      handler: ({ caller, params, body, services }) =>
        service(services).replace(caller, params.id, body) as Promise<never>,
    }),
    route({
      ...declaration.delete,
      id: `${id}.delete`,
      endpoint: `DELETE ${one}`,
      access: write,
      responses: { 204: null },
      handler: ({ caller, params, services }) => service(services).delete(caller, params.id),
    }),
  ]
}
