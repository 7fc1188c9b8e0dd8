// Bulk jobs of the limited callers of `twins.ts`.
import { everywhere } from '../shirts.ts'
import { all, by, criterion, get, post, value } from './requests.ts'
import type { Request } from './twins.ts'
import { HIDDEN } from './workspace.ts'

const selection = { ids: ['r-0', 'r-1', 'v-6'] }
const job = (actions: object[], dryRun = true, chosen: object = selection): Request[] => [
  post('/bulk-jobs', { selection: chosen, actions, dryRun }, { keep: { name: 'bulk', from: 'id' } }),
  get('/bulk-jobs/$bulk?wait=20'),
  get('/bulk-jobs/$bulk'),
  get('/bulk-jobs/$bulk/errors'),
  ...['created', 'updated', 'unchanged', 'failed'].map((outcome) => get(`/bulk-jobs/$bulk/samples?outcome=${outcome}`)),
]
export const BULK: readonly Request[] = [
  ...[true, false].flatMap((dryRun) => [
    ...job([{ copyScope: { from: { language: 'de' }, to: { language: 'en' } } }], dryRun),
    ...job([{ copyScope: { from: { language: 'de' }, to: { language: 'en' }, onlyEmpty: true } }], dryRun),
    ...job([{ patchValues: { title: everywhere('bulk'), guarded: everywhere('g') } }], dryRun),
    ...job([{ patchValues: { title: everywhere('b2') } }], dryRun, { query: all }),
    ...job([{ replaceText: { attributeAlias: 'title', find: 'a', replace: 'e' } }], dryRun),
    ...job([{ addReferences: { attributeAlias: 'pictures', ids: ['p-1'] } }], dryRun),
    ...job([{ removeReferences: { attributeAlias: 'pictures', ids: ['p-1'] } }], dryRun),
    ...job([{ clearValues: { attributeAliases: ['note'] } }], dryRun),
    ...job([{ clearValues: { attributeAliases: ['hNote'] } }], dryRun),
    ...job([{ transition: 'tr-in' }], dryRun),
    ...job([{ transition: 'tr-out' }], dryRun),
    ...job([{ delete: true }], true, { ids: ['s-0', 'r-0', 'n-2'] }),
    ...job([{ setValues: { name: everywhere('open 2') } }], dryRun),
  ]),
  ...job([{ delete: true }], false, { ids: ['s-0', 'v-6', 'r-5'] }),
  post('/bulk-jobs/$bulk/undo', undefined, { keep: { name: 'bulkundo', from: 'id' } }),
  get('/bulk-jobs/$bulkundo'),
  get('/bulk-jobs/$bulkundo/errors'),
  get('/records/v-6'),
  get('/records/s-0'),
  ...HIDDEN.flatMap((alias) => [
    post('/bulk-jobs', { selection, dryRun: true, actions: [{ patchValues: { [alias]: value(alias) } }] }),
    post('/bulk-jobs', { selection, dryRun: true, actions: [{ clearValues: { attributeAliases: [alias] } }] }),
    post('/bulk-jobs', {
      selection,
      dryRun: true,
      actions: [{ replaceText: { attributeAlias: alias, find: 'a', replace: 'b' } }],
    }),
    post('/bulk-jobs', {
      selection,
      dryRun: true,
      actions: [{ copyScope: { from: {}, to: { language: 'en' }, attributeAliases: [alias] } }],
    }),
    post('/bulk-jobs', {
      selection,
      dryRun: true,
      actions: [{ addReferences: { attributeAlias: alias, ids: ['r-1'] } }],
    }),
    post('/bulk-jobs', {
      selection: { query: by(criterion(alias, 'isEmpty')) },
      dryRun: true,
      actions: [{ patchValues: {} }],
    }),
  ]),
]
