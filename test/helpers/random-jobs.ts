// Bulk jobs, imports, exports and the feed of changes, drawn from a seed: for `random-operations.ts`.
import { action, newRecord, query, RECORDS, selection } from './random-bodies.ts'
import { type Answered, get, type Kinds, type Operation, post, put } from './random-requests.ts'
import type { Draw } from './random-values.ts'

export const EXPORT_JOBS = ['exp-0', 'exp-1', 'exp-2']

function bulk(draw: Draw): Operation {
  const chosen = draw.chance(0.5) ? { ids: draw.some(RECORDS, 8) } : { query: selection(draw) }
  const actions = [...draw.times(1, () => ({ patchValues: draw.values('sch-a') })), action(draw)]
  return post('/api/v1/bulk-jobs', { selection: chosen, actions, dryRun: draw.chance(0.3) }, { isJob: true })
}

/** Of one of the last jobs. */
function ofJob(draw: Draw, method: string, part: string, more: object = {}): Operation {
  const back = draw.chance(0.7) ? 1 : 1 + draw.whole(4)
  return { method, path: ({ jobs }) => `/api/v1/bulk-jobs/${jobs.at(-back) ?? 'none'}${part}`, ...more }
}

const upload = ({ uploads }: Answered): string => `/api/v1/imports/${uploads.at(-1) ?? 'none'}`

function csv(draw: Draw): string {
  const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const rows = draw.times(6, () =>
    [draw.one(RECORDS), draw.name(), `C-${draw.whole(25)}`, draw.one(['1', '2.5', '7', 'much', ''])]
      .map(cell)
      .join(','),
  )
  return ['id,name,code,count', ...rows].map((row) => `${row}\r\n`).join('')
}

const COLUMNS = [
  { header: 'id', to: { field: 'id' } },
  { header: 'name', to: { attributeAlias: 'name' } },
  { header: 'code', to: { attributeAlias: 'code' } },
  { header: 'count', to: { attributeAlias: 'count' } },
]

const BULK_KINDS: Kinds = {
  bulk: [3, bulk],
  bulkEnd: [
    2,
    (draw) => ofJob(draw, 'GET', draw.one(['', '/errors', '/samples?outcome=updated', '/samples?outcome=failed'])),
  ],
  undo: [1.5, (draw) => ofJob(draw, 'POST', '/undo', { isJob: true })],
}

const IMPORT_KINDS: Kinds = {
  import: [
    2,
    (draw) => {
      const mode = draw.one(['create', 'upsert'])
      const items = draw.times(6, () => newRecord(draw))
      return post(
        `/api/v1/records/import${query({ mode, dryRun: draw.chance(0.2) })}`,
        items.map((item) => JSON.stringify(item)).join('\n'),
        { headers: { 'content-type': 'application/x-ndjson' } },
      )
    },
  ],
  upload: [
    1.5,
    (draw) => post('/api/v1/imports?fileName=random.csv', csv(draw), { headers: { 'content-type': 'text/csv' } }),
  ],
  map: [
    1.5,
    (draw) => {
      const mapping = { schemaId: 'sch-a', mode: draw.one(['create', 'upsert', 'upsert']), columns: COLUMNS }
      return { ...put('', mapping), path: (answered) => `${upload(answered)}/mapping` }
    },
  ],
  tryImport: [0.5, () => ({ method: 'POST', path: (answered) => `${upload(answered)}/dry-run`, isJob: true })],
  runImport: [1.5, () => ({ method: 'POST', path: (answered) => `${upload(answered)}/run`, isJob: true })],
  failedRows: [0.5, () => ({ method: 'GET', path: (answered) => `${upload(answered)}/failed.csv` })],
}

const job = (draw: Draw): string => `/api/v1/export-jobs/${draw.one(EXPORT_JOBS)}`

const EXPORT_KINDS: Kinds = {
  export: [1, (draw) => post('/api/v1/records/export', { format: draw.one(['csv', 'jsonl']), ...selection(draw) })],
  trigger: [1, (draw) => post(`${job(draw)}/trigger`, undefined, { isRun: true })],
  inclusions: [2, (draw) => get(`/api/v1/records/${draw.one(RECORDS)}/exports`)],
  explain: [1, (draw) => post(`${job(draw)}/explain`, { entityId: draw.one(RECORDS) })],
  preview: [1, (draw) => post(`${job(draw)}/preview`)],
}

const FEED_KINDS: Kinds = {
  changes: [
    3,
    (draw) => {
      const entityType = draw.one(['record', 'model', 'record,model', 'account', 'record,model,account'])
      return get(
        `/api/v1/changes${query({ limit: 1 + draw.whole(20), entityType, ...draw.maybe(0.5, { before: 'latest' }) })}`,
      )
    },
  ],
  changesOn: [
    3,
    (draw) => {
      const [limit, side] = [1 + draw.whole(20), draw.one(['after', 'before'])]
      return {
        method: 'GET',
        path: ({ changes = 'latest' }) =>
          `/api/v1/changes${query({ limit, [side]: changes, entityType: 'record,model,account' })}`,
      }
    },
  ],
}

export const JOB_KINDS: Kinds = { ...BULK_KINDS, ...IMPORT_KINDS, ...EXPORT_KINDS, ...FEED_KINDS }
