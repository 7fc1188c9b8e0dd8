// Presence, comments, assignments and subscriptions of the limited callers of `twins.ts`.
import { EVENT_TYPES } from '../../../src/events/rules/event-type.ts'
import { by, criterion, get, patch, post, put, remove } from './requests.ts'
import type { Request } from './twins.ts'

export const TALK: readonly Request[] = [
  put('/presence', { recordId: 'r-0', recordIds: ['r-0', 'r-1'] }),
  put('/presence', { recordId: 'r-0', attributeAlias: 'hName', recordIds: ['r-0'] }),
  post('/records/r-0/comments', { text: 'c', attributeAlias: 'hName' }),
  post('/records/r-0/comments', { text: 'c', threadId: '$hiddenComment' }),
  post('/records/r-0/comments', { text: 'c', threadId: '$comment' }, { keep: { name: 'reply', from: 'id' } }),
  patch('/comments/$hiddenComment', { resolved: true }),
  remove('/comments/$hiddenComment'),
  get('/comments/open?recordIds=r-0'),
  get('/records/r-0/comments?order=newest'),
  put('/records/r-0/follow', { follows: true }),
  patch('/assignments/$assignment', { state: 'done' }),
  post('/assignments', { recordIds: ['r-2', 's-0'], assigneeId: 'usr-limited' }),
  post('/notices/read', {}),
  put('/subscriptions/sub-hidden', {
    name: 'S',
    url: 'https://shop.example/',
    events: ['record.updated'],
    active: false,
    selection: { criteria: ['********'], criteriaOperator: 'and' },
  }),
  put('/subscriptions/sub-hidden', {
    name: 'S',
    url: 'https://other.example/',
    events: ['record.updated'],
    active: false,
    selection: { criteria: ['********'], criteriaOperator: 'and' },
  }),
  post('/subscriptions/sub-hidden/take-over'),
  post('/subscriptions', {
    id: 'own-events',
    name: 'S',
    url: '$sink',
    active: true,
    events: EVENT_TYPES,
  }),
  post('/subscriptions', {
    id: 'own-selected',
    name: 'S',
    url: '$sink',
    active: true,
    events: ['record.updated', 'record.deleted'],
    selection: {
      criteria: [{ field: 'completeness', operator: 'lt', value: 100, stateId: 'state-archived' }],
      criteriaOperator: 'and',
    },
  }),
  post('/subscriptions', {
    id: 'sub-own',
    name: 'S',
    url: 'https://shop.example/',
    events: ['record.updated'],
    active: false,
    selection: by(criterion('hColor', 'isEmpty')),
  }),
  get('/subscriptions/sub-hidden/deliveries'),
]
