// Every read of the OpenAPI document, with known IDs in its path and values for each parameter.
import type { OpenApiDocument } from '../../../src/http/openapi/document-model.ts'
import { follow, operationsOf } from '../openapi.ts'
import type { Request } from './twins.ts'

/** IDs of things, by the path up to the ID. */
const IDS: readonly (readonly [prefix: RegExp, ids: readonly string[]])[] = [
  [/^\/api\/v1\/records\/$/, ['r-0', 'r-1', 'r-3', 'v-6', 'd-20', 'p-0', 'b-1', 's-0', 'none']],
  [/\/files\/$/, ['$file0', '$file1', '$picture0', '$picture1', '$picture2']],
  [/\/renditions\/$/, ['thumb', 'crop', 'original', 'none']],
  [/^\/api\/v1\/schemas\/$/, ['sch-a', 'sch-p', 'sch-s']],
  [/^\/api\/v1\/roles\/$/, ['role-limited', 'role-admin']],
  [/^\/api\/v1\/users\/$/, ['usr-limited']],
  [/^\/api\/v1\/dimensions\/$/, ['language']],
  [/^\/api\/v1\/workflows\/$/, ['wf-default']],
  [/^\/api\/v1\/catalogs\/$/, ['cat-1']],
  [/^\/api\/v1\/categories\/$/, ['c-0']],
  [/^\/api\/v1\/saved-queries\/$/, ['q-hidden', 'q-open', 'q-sort']],
  [/^\/api\/v1\/comments\/$/, ['$comment', '$hiddenComment']],
  [/^\/api\/v1\/assignments\/$/, ['$assignment']],
  [/^\/api\/v1\/rendition-presets\/$/, ['thumb']],
  [
    /^\/api\/v1\/bulk-jobs\/$/,
    ['bulk-values', 'bulk-dry', 'bulk-fails', 'bulk-expects', '$undo', '$dry', '$import', '$mappedImport'],
  ],
  [/^\/api\/v1\/import-profiles\/$/, ['ip-hidden', 'ip-match']],
  [/^\/api\/v1\/imports\/$/, ['$upload', '$mappedUpload']],
  [/^\/api\/v1\/sheet-templates\/$/, ['sht-hidden']],
  [/\/export-jobs\/$/, ['job-all', 'job-columns', 'job-selection', 'job-sort', 'job-delta', 'job-open']],
  [/\/runs\/$/, ['$runall', '$runcolumns', '$runselection', '$runsort', '$rundelta', '$runopen']],
  [/^\/api\/v1\/subscriptions\/$/, ['sub-hidden']],
]

/** Values of a parameter, by its name. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '3'],
  offset: ['1', '4'],
  schemaId: ['sch-a', 'sch-p', 'sch-s', 'sch-b'],
  lifecycleStateId: ['state-draft', 'state-review'],
  parentId: ['r-0', 'none'],
  updatedSince: ['2026-01-01'],
  sort: ['name', '-count', 'hName', 'completeness', '-updatedAt', 'title[language=de]'],
  include: [
    'completeness',
    'effectiveValues',
    'categories',
    'variantCount',
    'image',
    'version',
    'transitions',
    'variants',
    'label',
  ],
  version: ['1', '2', '3', '4', '9'],
  attributeAlias: ['name', 'hName', 'title', 'friend', 'hFriend', 'friends', 'pictures', 'hPictures', 'lifecycleState'],
  stateId: ['state-draft', 'state-review', 'state-published', 'state-archived'],
  by: ['combination'],
  userId: ['key-bootstrap'],
  action: ['update', 'create', 'delete', 'transition'],
  before: ['latest'],
  entityType: ['record', 'model', 'account', 'record,model,account'],
  after: ['latest'],
  counts: ['direct,total'],
  select: ['name', 'hName'],
  includeChildren: ['true'],
  query: ['a', 'alpha', 'open', 'stored', 'otherwise', 'r-', 'kept', 'Bold', 'red', 'x.txt', 'alt', 'b 1'],
  state: ['open', 'resolved', 'all', 'done'],
  order: ['newest', 'threads'],
  recordIds: ['r-0,r-1'],
  text: ['a', 'l'],
  recordId: ['r-0'],
  assigneeId: ['me'],
  assignedBy: ['me'],
  overdue: ['true'],
  unread: ['true', '0'],
  outcome: ['created', 'updated', 'unchanged', 'failed'],
  templateId: ['sht-hidden'],
  language: ['de', 'en'],
  scope: ['language:de', 'market:eu'],
  all: ['true'],
  status: ['success', 'failed'],
  jobId: ['job-all', 'job-selection'],
  from: ['2026-01-01'],
  to: ['2026-01-02'],
  decimal: ['.'],
  download: ['true'],
}
/** Their answers tell of the process, not of values. The parts of console and reference are files. */
const OTHER = /^\/(?:metrics|healthz|docs|console|public)(?:\/|$)|^\/$/

/** Each path, alone and with each value of each parameter. */
export function readsOf(document: OpenApiDocument): Request[] {
  return operationsOf(document).flatMap(({ name, operation: { parameters = [] } }) => {
    const [method, path] = name.split(' ') as [string, string]
    if (method !== 'GET' || OTHER.test(path)) return []
    const asked = parameters
      .map((parameter) => follow<{ name: string; in: string; required?: boolean }>(document, parameter))
      .filter((parameter) => parameter.in === 'query')
    const base = asked.filter(({ required }) => required === true).map(({ name }) => `${name}=${VALUES[name]![0]!}`)
    const single = asked.flatMap(({ name }) =>
      (VALUES[name] ?? []).map((value) => `${name}=${encodeURIComponent(value)}`),
    )
    return pathsOf(path).flatMap((filled) =>
      ['', ...single].map((more) => {
        const own = base.filter((pair) => pair.split('=')[0] !== more.split('=')[0])
        const query = [...own, ...(more === '' ? [] : [more])].join('&')
        return { method, path: query === '' ? filled : `${filled}?${query}` }
      }),
    )
  })
}

function pathsOf(path: string): string[] {
  const at = path.indexOf('{')
  if (at < 0) return [path]
  const [prefix, rest] = [path.slice(0, at), path.slice(path.indexOf('}') + 1)]
  const ids = IDS.find(([pattern]) => pattern.test(prefix))?.[1] ?? ['none']
  return ids.flatMap((id) => pathsOf(rest).map((end) => `${prefix}${id}${end}`))
}
