// Names and examples of the shapes of comments, assignments and notices.
import { component, type Components } from '../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'
import {
  AssignedShape,
  AssignmentInput,
  AssignmentPageShape,
  AssignmentShape,
  AssignmentUpdate,
  CommentInput,
  CommentPageShape,
  CommentShape,
  CommentUpdate,
  FollowInput,
  FollowShape,
  NoticePageShape,
  NoticeSettingsInput,
  NoticeSettingsShape,
  NoticeShape,
  OpenCommentsShape,
  ReadersShape,
  ReadInput,
  UnreadShape,
} from './collaboration-shapes.ts'
import { PresenceInput, PresenceShape } from './presence-shapes.ts'

const anna = { id: EXAMPLE_IDS.user, kind: 'user' as const, name: 'Anna' }
const text = `@[${EXAMPLE_IDS.user}] is this the weight without the box?`
const place = { attributeAlias: 'name', scope: { language: 'de' } }

const comment = {
  id: 'cmt-01kk0a3v5m8qz2w4r6t8y0b1cd',
  recordId: EXAMPLE_IDS.record,
  threadId: null,
  ...place,
  text,
  mentions: [{ id: anna.id, name: anna.name }],
  author: anna,
  createdAt: '2026-03-01T09:30:00.000Z',
  editedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  deleted: false,
}

const given = { dueOn: '2026-03-05', note: 'Please check the German texts.' }
const assignment = {
  id: 'asg-01kk0a9n3p5r7t9v1x3z5b7d9f',
  recordId: EXAMPLE_IDS.record,
  assignee: anna,
  assignedBy: anna,
  ...given,
  state: 'open' as const,
  overdue: false,
  createdAt: '2026-03-01T09:30:00.000Z',
  changedAt: '2026-03-01T09:30:00.000Z',
  changedBy: anna,
}

const notice = {
  id: 'ntc-01kk0ac2e4g6j8m0p2r4t6v8xz',
  kind: 'mention' as const,
  createdAt: '2026-03-01T09:30:00.000Z',
  read: false,
  actor: anna,
  recordId: EXAMPLE_IDS.record,
  commentId: comment.id,
  assignmentId: null,
  count: null,
  exportJobId: null,
  exportRunId: null,
  importId: null,
  bulkJobId: null,
}

export const collaborationComponents: Components = {
  Comment: component(CommentShape, comment),
  CommentPage: component(CommentPageShape, { items: [comment] }),
  CommentInput: component(CommentInput, { text, ...place }),
  CommentUpdate: component(CommentUpdate, { resolved: true }),
  OpenComments: component(OpenCommentsShape, { items: [{ recordId: EXAMPLE_IDS.record, ...place, open: 2 }] }),
  Readers: component(ReadersShape, { items: [{ id: anna.id, name: 'Anna', username: 'anna' }] }),
  Follow: component(FollowShape, { follows: true }),
  FollowInput: component(FollowInput, { follows: true }),
  Assignment: component(AssignmentShape, assignment),
  AssignmentPage: component(AssignmentPageShape, { items: [assignment] }),
  AssignmentInput: component(AssignmentInput, { recordIds: [EXAMPLE_IDS.record], assigneeId: anna.id, ...given }),
  AssignmentUpdate: component(AssignmentUpdate, { state: 'done' }),
  Assigned: component(AssignedShape, { ids: [assignment.id] }),
  Notice: component(NoticeShape, notice),
  NoticePage: component(NoticePageShape, { items: [notice] }),
  Unread: component(UnreadShape, { unread: 3 }),
  ReadNotices: component(ReadInput, { ids: [notice.id] }),
  NoticeSettings: component(NoticeSettingsShape, { off: ['comment'] }),
  NoticeSettingsInput: component(NoticeSettingsInput, { off: ['comment'] }),
  PresenceInput: component(PresenceInput, {
    recordId: EXAMPLE_IDS.record,
    attributeAlias: 'name',
    recordIds: [EXAMPLE_IDS.record],
  }),
  Presence: component(PresenceShape, {
    items: [{ recordId: EXAMPLE_IDS.record, attributeAlias: 'name', person: { id: anna.id, name: 'Anna' } }],
    every: 20,
  }),
}
