// What clients ask of the workspace in `workspace.ts`, and what of the answers is the same at any time.
import type { Client } from '../helpers/client.ts'

const RECORD_IDS = ['tea-assam', 'tea-assam-kilo', 'tea-jasmine', 'tea-empty', 'tea-imported', 'pot-1', 'tea-gone']

const LOOKS = [
  '/api/v1/me',
  ...[
    'dimensions',
    'workflows',
    'schemas',
    'roles',
    'users',
    'api-keys',
    'catalogs',
    'saved-queries',
    'export-jobs',
  ].map((name) => `/api/v1/${name}`),
  '/api/v1/catalogs/cat-shop/categories',
  '/api/v1/categories/ctg-tea/records',
  '/api/v1/categories/ctg-black/records',
  '/api/v1/records',
  '/api/v1/records?lifecycleStateId=state-review',
  '/api/v1/records?parentId=tea-assam',
  '/api/v1/records?parentId=none&schemaId=sch-tea',
  '/api/v1/changes',
  '/api/v1/export-jobs/job-shop/runs',
  '/api/v1/export-jobs/job-paused/runs',
  ...RECORD_IDS.flatMap((id) =>
    ['', '/audit', '/categories', '/completeness', '/completeness?stateId=state-published', '/transitions'].map(
      (part) => `/api/v1/records/${id}${part}`,
    ),
  ),
  ...['assam', 'KRÄFTIG', 'e', 'perlen', 'no such text'].map(
    (text) => `/api/v1/search/text?query=${encodeURIComponent(text)}`,
  ),
]

const criterion = (attributeAlias: string, operator: string, value?: string, scope?: object) => ({
  attributeAlias,
  operator,
  value,
  scope,
})

const SEARCHES = [
  criterion('name', 'equals', 'Assam'),
  criterion('name', 'notEquals', 'Assam', { language: 'en' }),
  criterion('name', 'contains', 'jasmin', { language: 'de' }),
  criterion('description', 'isEmpty', undefined, { language: 'en', market: 'us' }),
  criterion('minutes', 'gt', '2'),
  criterion('harvested', 'lt', '2026-12-31'),
  criterion('notes', 'equals', 'smoky'),
  criterion('price', 'equals', '7.5', { market: 'us' }),
  criterion('weight', 'isNotEmpty'),
  criterion('constructor', 'contains', 'ODD'),
]

/** Depends on the moment, or on what was asked before. */
const PASSING = new Set(['nextRunAt', 'lastUsedAt'])

/** The answers of one caller by question: status and body. */
export async function askAll(client: Client): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const path of LOOKS) answers[`GET ${path}`] = await ask(client, 'GET', path)
  for (const [index, one] of SEARCHES.entries())
    answers[`search ${index}: ${one.attributeAlias} ${one.operator}`] = await ask(client, 'POST', '/api/v1/search', {
      schemaId: 'sch-tea',
      criteria: [one],
      criteriaOperator: 'and',
    })
  answers['saved query'] = await ask(client, 'POST', '/api/v1/saved-queries/sq-strong/execute')
  answers['preview'] = await ask(client, 'POST', '/api/v1/export-jobs/job-shop/preview', {})
  return answers
}

async function ask(client: Client, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(client.url + path, {
    method,
    headers: { ...client.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    body: isJson ? withoutPassing(JSON.parse(text)) : text,
    etag: response.headers.get('etag'),
  }
}

function withoutPassing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPassing)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (PASSING.has(name) ? [] : [[name, withoutPassing(member)]])),
  )
}

/**
 * Where `now` lacks something that `then` has, or says otherwise: the way there, or undefined. Members may be added, and messages of
 * errors may change: contract 1 §9.
 */
export function findLoss(then: unknown, now: unknown, at = ''): string | undefined {
  // An upgrade gives permissions of new features to some roles.
  if (Array.isArray(then) && Array.isArray(now) && at.endsWith('.permissions'))
    return then.every((permission) => now.includes(permission)) ? undefined : at
  if (Array.isArray(then)) {
    if (!Array.isArray(now) || now.length !== then.length) return at
    return then.map((item, index) => findLoss(item, now[index], `${at}[${index}]`)).find((loss) => loss !== undefined)
  }
  if (typeof then !== 'object' || then === null)
    return Object.is(then, now) ? undefined : `${at}: ${String(then)} → ${String(now)}`
  if (typeof now !== 'object' || now === null || Array.isArray(now)) return at
  const present = new Map(Object.entries(now))
  return Object.entries(then)
    .filter(([name]) => name !== 'message' || !('error' in then))
    .map(([name, member]) =>
      present.has(name) ? findLoss(member, present.get(name), `${at}.${name}`) : `${at}.${name} is gone`,
    )
    .find((loss) => loss !== undefined)
}
