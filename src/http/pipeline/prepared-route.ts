// A route with everything that can be computed before the first request.
import type * as v from 'valibot'
import { invalid } from '../../kernel/errors.ts'
import type { Permission } from '../../core/accounts/rules/permissions.ts'
import { takesKey } from '../answers/error-replies.ts'
import { parse } from '../../kernel/input/parse.ts'
import { baseType, queryReader, type QueryReader } from './query.ts'
import type { Route } from '../route.ts'
import type { PathParams } from './router.ts'

export interface PreparedRoute {
  readonly route: Route
  readonly method: string
  /** The default status. */
  readonly status: number
  readonly permission: Permission | undefined
  /** Whether an Idempotency-Key counts. */
  readonly takesKey: boolean
  /** Undefined: the route takes any text as a parameter of its path. */
  readonly checkParams: ((params: PathParams) => unknown) | undefined
  readonly query: QueryReader
  /** A request without a body is checked as one with `undefined`. */
  readonly isBodyOptional: boolean
  /** Undefined: a body is not read. */
  readonly checkBody: ((body: unknown) => unknown) | undefined
  /** Members of the body that the route leaves unchecked, for the service to judge: see `ParseOptions`. */
  readonly uncheckedMembers: ReadonlySet<string>
}

export function prepareRoute(route: Route): PreparedRoute {
  const { access, params } = route
  return {
    route,
    method: route.method,
    status: Math.min(...Object.keys(route.responses).map(Number)),
    permission: access === 'public' || access === 'authenticated' ? undefined : access,
    takesKey: takesKey(route),
    checkParams: params === undefined ? undefined : (given) => parse(params, given),
    query: queryReader(route.query),
    isBodyOptional: route.body?.type === 'optional',
    checkBody: bodyChecker(route),
    uncheckedMembers: findUncheckedMembers(route),
  }
}

function findUncheckedMembers({ body }: Route): Set<string> {
  const entries = body !== undefined && 'entries' in body ? (body.entries as v.ObjectEntries) : {}
  return new Set(Object.keys(entries).filter((name) => baseType(entries[name]!) === 'unknown'))
}

function bodyChecker(route: Route): PreparedRoute['checkBody'] {
  const schema = route.body
  if (schema === undefined) return undefined
  const isObjectExpected = baseType(schema).endsWith('object')
  return (body) => {
    if (isObjectExpected && body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
      throw invalid('The body must be a JSON object')
    return parse(schema, body)
  }
}
